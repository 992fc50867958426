import { hash } from 'node:crypto';
import type { Scope } from '#contract/scopes.ts';
import { Batcher, UNHURRIED } from '#platform/batch.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database.ts';
import { NotDone } from '#platform/errors.ts';
import { type Shards, submitById } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { Actor, CachedKey, Credential } from '../actor.ts';
import { parseApiKey } from './secrets.ts';

interface KeyRow {
  appId: string;
  keyHash: Buffer;
  scopes: Scope[];
  state: Credential['applicationState'];
  requestsPerMinute: number;
  /** Null on Citus for an application that an older version created: its keys are looked up each time. */
  version: number | null;
  botId: string | null;
}

/** A key as of its last lookup, and the bot that it acts as, with {@link Actor.cachedKey} set. */
export interface CachedCredential {
  credential: Credential;
  actor: Actor;
}

/** Thrown by work whose statement found that a cached key is out of date. */
export class KeyChanged extends NotDone {}

/** Beyond this number the oldest key is evicted. */
const MAX_KEYS = 10_000;
/** Limits how long changes by hand, or by an older version that does not maintain `version`, go unnoticed. */
const KEPT_MS = 60_000;

export interface KeyAge {
  /** Accepts expired entries, while the database that could change or confirm them is unreachable. */
  mayBeOld?: boolean;
}

/** The results of the last lookups of keys. An entry alone does not authorize anything: see {@link CachedKey}. */
class KeyCache {
  /** By the hash of the key, a character for each byte. */
  readonly #entries = new Map<string, { value: CachedCredential; until: number }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string, { mayBeOld = false }: KeyAge = {}): CachedCredential | undefined {
    const entry = this.#entries.get(hash('sha256', key, 'binary'));
    return entry && (mayBeOld || this.#clock.now() < entry.until) ? entry.value : undefined;
  }

  /** Replaces the entry; `undefined` removes it. */
  keep(keyHash: Buffer, value: CachedCredential | undefined): void {
    const name = keyHash.toString('binary');
    this.#entries.delete(name);
    if (value === undefined) return;
    this.#entries.set(name, { value, until: this.#clock.now() + KEPT_MS });
    const [oldest] = this.#entries.size > MAX_KEYS ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/**
 * Lookups of API keys. `authenticate` looks a key up in the database, in one batch with concurrent lookups; it resolves to
 * `undefined` for a token that is malformed, unknown, revoked or of a deleted application, without telling them apart.
 * `findCached` finds a key that was usable at its last lookup, which `confirm` compares with the database. On Citus each
 * application has its own batches of lookups, so that an unreachable node fails only the keys of its own applications.
 */
export class ApiKeys {
  readonly #lookUps: Batcher<{ id: string; hash: Buffer }, KeyRow | undefined>;
  readonly #versions: Batcher<string, number | undefined>;
  readonly #cache: KeyCache;
  readonly #shards: Shards;

  constructor({ db, clock, shards }: Platform) {
    this.#shards = shards;
    this.#cache = new KeyCache(clock);
    this.#lookUps = new Batcher(async (asked) => {
      const rows = await findLiveKeysOf(
        db,
        asked.map(({ id }) => id),
        shards,
      );
      const live = new Map(rows.map((row) => [row.keyHash.toString('binary'), row]));
      return asked.map(({ id, hash }) => {
        const row = live.get(hash.toString('binary'));
        return row?.appId === id ? row : undefined;
      });
    });
    this.#versions = new Batcher(async (appIds) => {
      const versionOf = new Map(
        (await findVersions(db, appIds, shards)).map(({ appId, version }) => [appId, version]),
      );
      return appIds.map((appId) => versionOf.get(appId));
    }, UNHURRIED);
  }

  async authenticate(token: string): Promise<Credential | undefined> {
    const asked = parseApiKey(token);
    if (!asked) return undefined;
    const row = await submitById(this.#shards, this.#lookUps, asked, { table: 'applications', id: asked.id });
    const credential = row && toCredential(row);
    this.#cache.keep(asked.hash, row && credential && toCached(row, credential));
    return credential;
  }

  findCached(token: string, age?: KeyAge): CachedCredential | undefined {
    return this.#cache.find(token, age);
  }

  /** For work without a statement that compares the version itself. @throws KeyChanged */
  async confirm({ appId, version }: CachedKey): Promise<void> {
    if ((await this.#versions.submit(appId)) !== version) throw new KeyChanged();
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
  if (applicationState !== 'active' || accountId === undefined || version === null) return undefined;
  return { credential, actor: { kind, accountId, appId, scopes, cachedKey: { appId, version } } };
}

/** The live keys of the given applications. Each has few, so the caller compares the hashes. */
async function findLiveKeysOf(
  db: Db,
  appIds: string[],
  { isDistributed }: Pick<Shards, 'isDistributed'>,
): Promise<KeyRow[]> {
  const version = isDistributed
    ? db`(select version from application_versions where app_id = a.app_id)`
    : db`a.version`;
  return db<KeyRow[]>`
    select k.app_id, k.key_hash, k.scopes, a.state, a.requests_per_minute, ${version} as version, b.account_id as bot_id
    from api_keys k
    join applications a on a.app_id = k.app_id and a.app_id = any(${appIds})
    left join bots b on b.app_id = k.app_id and b.app_id = any(${appIds}) and b.deleted_at is null
    where k.app_id = any(${appIds}) and k.revoked_at is null and a.state <> 'deleted'`;
}

/** The versions with which cached keys are compared; on Citus those of which each node has a copy (decision 0050). */
async function findVersions(
  db: Db,
  appIds: string[],
  { isDistributed }: Pick<Shards, 'isDistributed'>,
): Promise<{ appId: string; version: number }[]> {
  return db<{ appId: string; version: number }[]>`
    select app_id, version from ${db(isDistributed ? 'application_versions' : 'applications')}
    where app_id = any(${appIds})`;
}
