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
  botId: string | null;
}

/**
 * Looks API keys up in the database at every request, those that arrive together in one statement. Nothing is cached:
 * a revoked key is dead with the answer that revoked it.
 *
 * @returns a function that resolves to `undefined` for a token that is malformed, unknown, revoked or of a deleted
 * application: all the same to the caller
 */
export function createKeyAuthenticator({ db }: Pick<Platform, 'db'>) {
  const batcher = new Batcher<AskedKey, Credential | undefined>(async (asked) => {
    const rows = await findLiveKeys(
      db,
      asked.map(({ appId }) => appId),
    );
    const live = new Map(rows.map((row) => [row.appId, row]));
    return asked.map(({ appId, hash }) => {
      const row = live.get(appId);
      return row?.keyHash.equals(hash) ? toCredential(row) : undefined;
    });
  });
  return (token: string): Promise<Credential | undefined> => {
    const asked = parseApiKey(token);
    return asked ? batcher.submit(asked) : UNKNOWN;
  };
}

const UNKNOWN = Promise.resolve(undefined);

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
    select k.app_id, k.key_hash, k.scopes, a.state, a.requests_per_minute, b.account_id as bot_id
    from api_keys k
    join applications a on a.app_id = k.app_id and a.app_id = any(${appIds})
    left join bots b on b.app_id = k.app_id and b.app_id = any(${appIds}) and b.deleted_at is null
    where k.app_id = any(${appIds}) and k.revoked_at is null and a.state <> 'deleted'`;
}
