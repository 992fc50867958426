import { hash } from 'node:crypto';
import type { Scope } from '#contract/scopes.ts';
import { Batcher } from '#platform/batch.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Credential } from './actor.ts';
import { parseApiKey } from './api-key.ts';

interface AskedKey {
  appId: string;
  hash: Buffer;
}

interface KeyRow {
  appId: string;
  keyHash: Buffer;
  scopes: Scope[];
  state: Credential['applicationState'];
  requestsPerMinute: number;
  version: number;
  botId: string | null;
}

/** What a statement compares with the database to know that a recalled key stands for the same as before. */
export interface Recalled {
  appId: string;
  /** Of the application: every change of it, of its keys and of its bot raises it. */
  version: number;
}

interface Known {
  credential: Credential;
  recalled: Recalled;
}

/** Thrown by work whose statement found that a recalled key no longer stands for what it did; nothing was done. */
export class NotConfirmed extends Error {}

/** Keys that are remembered. Whoever is forgotten is looked up at the next request. */
const MAX_REMEMBERED = 10_000;
/** So that rows changed by hand, or by a process of a version that knows no `version`, are noticed some time. */
const REMEMBERED_MS = 60_000;

/**
 * API keys as the database knows them. `authenticate` looks a key up, together with those that arrive at the same time;
 * it resolves to `undefined` for a token that is malformed, unknown, revoked or of a deleted application: all the same to
 * the caller.
 *
 * `recall` tells what a key stood for when it was last looked up, and admits nobody: whoever uses it lets the statement
 * that does the work compare it with the database ({@link Recalled}), so that a revoked key is dead with the answer that
 * revoked it (docs/decisions/0035).
 */
export class ApiKeys {
  readonly #lookUps: Batcher<AskedKey, Known | undefined>;
  /** By the hash of the key, a character for each byte. */
  readonly #remembered = new Map<string, Credential & { recalled: Recalled; until: number }>();
  readonly #clock: Platform['clock'];

  constructor({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
    this.#clock = clock;
    this.#lookUps = new Batcher(async (asked) => {
      const rows = await findLiveKeys(
        db,
        asked.map(({ appId }) => appId),
      );
      const live = new Map(rows.map((row) => [row.appId, row]));
      return asked.map(({ appId, hash }) => {
        const row = live.get(appId);
        return row?.keyHash.equals(hash)
          ? { credential: toCredential(row), recalled: { appId, version: row.version } }
          : undefined;
      });
    });
  }

  async authenticate(token: string): Promise<Credential | undefined> {
    const asked = parseApiKey(token);
    if (!asked) return undefined;
    const known = await this.#lookUps.submit(asked);
    this.#remember(asked, known);
    return known?.credential;
  }

  /** Undefined unless the key could do its work when it was last looked up. */
  recall(token: string): (Credential & { recalled: Recalled }) | undefined {
    const remembered = this.#remembered.get(hash('sha256', token, 'binary'));
    return remembered && this.#clock.now() < remembered.until ? remembered : undefined;
  }

  #remember({ hash }: AskedKey, known: Known | undefined): void {
    const keyHash = hash.toString('binary');
    this.#remembered.delete(keyHash);
    if (known?.credential.applicationState !== 'active' || known.credential.accountId === undefined) return;
    const { credential, recalled } = known;
    this.#remembered.set(keyHash, { ...credential, recalled, until: this.#clock.now() + REMEMBERED_MS });
    const [oldest] = this.#remembered.size > MAX_REMEMBERED ? this.#remembered.keys() : [];
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }
}

function toCredential(row: KeyRow): Credential {
  return {
    kind: 'bot',
    appId: row.appId,
    applicationState: row.state,
    scopes: row.scopes,
    requestsPerMinute: row.requestsPerMinute,
    accountId: row.botId ?? undefined,
  };
}

/** The live keys of the given applications: one each, so that comparing the hashes is left to the caller. */
async function findLiveKeys(db: Db, appIds: string[]): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select k.app_id, k.key_hash, k.scopes, a.state, a.requests_per_minute, a.version, b.account_id as bot_id
    from api_keys k
    join applications a on a.app_id = k.app_id and a.app_id = any(${appIds})
    left join bots b on b.app_id = k.app_id and b.app_id = any(${appIds}) and b.deleted_at is null
    where k.app_id = any(${appIds}) and k.revoked_at is null and a.state <> 'deleted'`;
}
