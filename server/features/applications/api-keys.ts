import type { Scope } from '#contract/scopes.ts';
import { Batcher } from '#platform/batch.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Shards } from '#platform/shards.ts';
import type { Actor, Credential } from './actor.ts';
import { type ParsedApiKey, parseApiKey } from './api-key.ts';
import { KeyCache } from './cached-key.ts';

interface KeyRow {
  appId: string;
  keyHash: Buffer;
  scopes: Scope[];
  state: Credential['applicationState'];
  requestsPerMinute: number;
  version: number;
  botId: string | null;
}

/** A key as it was when it was last looked up, and the bot that it acts as, whose {@link Actor.cachedKey} is set. */
export interface CachedCredential {
  credential: Credential;
  actor: Actor;
}

/**
 * API keys as the database knows them. `authenticate` looks a key up, in one batch with those that arrive at the same time;
 * it resolves to `undefined` for a token that is malformed, unknown, revoked or of a deleted application: all the same to
 * the caller. `findCached` finds a key that could do its work when it was last looked up; on Citus none, since a node that is
 * away must fail the keys of its own applications and no others: there each application has batches of its own.
 */
export class ApiKeys {
  readonly #lookUps: Batcher<ParsedApiKey, KeyRow | undefined>;
  readonly #versions: Batcher<string, number | undefined>;
  readonly #cache: KeyCache<CachedCredential>;
  readonly #shards: Shards;

  constructor({ db, clock, shards }: Pick<Platform, 'db' | 'clock' | 'shards'>) {
    this.#shards = shards;
    this.#versions = new Batcher(async (asked, appId) => {
      const version = await findVersion(db, appId);
      return asked.map(() => version);
    });
    this.#cache = new KeyCache(clock);
    this.#lookUps = new Batcher(async (asked) => {
      const rows = await findLiveKeysOf(
        db,
        asked.map(({ appId }) => appId),
      );
      const live = new Map(rows.map((row) => [row.keyHash.toString('binary'), row]));
      return asked.map(({ appId, hash }) => {
        const row = live.get(hash.toString('binary'));
        return row?.appId === appId ? row : undefined;
      });
    });
  }

  async authenticate(token: string): Promise<Credential | undefined> {
    const asked = parseApiKey(token);
    if (!asked) return undefined;
    const cached = this.#shards.isDistributed ? await this.#findConfirmed(token) : undefined;
    if (cached) return cached;
    const row = await this.#lookUps.submit(asked, this.#shards.isDistributed ? asked.appId : '');
    const credential = row && toCredential(row);
    this.#cache.keep(asked.hash, row && credential && toCached(row, credential));
    return credential;
  }

  findCached(token: string): CachedCredential | undefined {
    return this.#shards.isDistributed ? undefined : this.#cache.find(token);
  }

  /** Where the statement that does the work runs in another shard and cannot compare the version, that is asked ahead of it. */
  async #findConfirmed(token: string): Promise<Credential | undefined> {
    const cached = this.#cache.find(token);
    if (!cached?.actor.cachedKey) return undefined;
    const { appId, version } = cached.actor.cachedKey;
    return (await this.#versions.submit(appId, appId)) === version ? cached.credential : undefined;
  }
}

function toCredential(row: KeyRow): Credential {
  return {
    kind: 'bot',
    fingerprint: row.keyHash.toString('hex'),
    appId: row.appId,
    applicationState: row.state,
    scopes: row.scopes,
    requestsPerMinute: row.requestsPerMinute,
    accountId: row.botId ?? undefined,
  };
}

function toCached({ version }: KeyRow, credential: Credential): CachedCredential | undefined {
  const { applicationState, accountId, kind, appId, scopes } = credential;
  if (applicationState !== 'active' || accountId === undefined) return undefined;
  return { credential, actor: { kind, accountId, appId, scopes, cachedKey: { appId, version } } };
}

async function findVersion(db: Db, appId: string): Promise<number | undefined> {
  const [row] = await db<{ version: number }[]>`select version from applications where app_id = ${appId}`;
  return row?.version;
}

/** The live keys of the given applications: few each, so that comparing the hashes is left to the caller. */
async function findLiveKeysOf(db: Db, appIds: string[]): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select k.app_id, k.key_hash, k.scopes, a.state, a.requests_per_minute, a.version, b.account_id as bot_id
    from api_keys k
    join applications a on a.app_id = k.app_id and a.app_id = any(${appIds})
    left join bots b on b.app_id = k.app_id and b.app_id = any(${appIds}) and b.deleted_at is null
    where k.app_id = any(${appIds}) and k.revoked_at is null and a.state <> 'deleted'`;
}
