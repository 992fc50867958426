import { timingSafeEqual } from 'node:crypto';
import type { Client, Credential } from '#features/applications/index.ts';
import { Batcher } from '#platform/batch.ts';
import { batchKeyOf } from '#platform/partitioning/shards.ts';
import type { OAuthDeps } from '../deps.ts';
import { type AccessRow, findAccess } from '../queries.ts';
import { type Presented, parseAccessToken } from '../token-strings.ts';

/**
 * Looks access tokens up in the database at every request, a batch in one statement for the families
 * and one for the applications. Nothing is cached: an ended family is refused once the request that ended it is answered.
 *
 * @returns a function that resolves to `undefined` for a token that is malformed, unknown, rotated away, revoked,
 * expired or of a deleted application: the caller cannot distinguish these
 */
export function createAccessTokenAuthenticator({ db, clock, applications, shards }: OAuthDeps) {
  const batcher = new Batcher<Presented, Credential | undefined>(async (presented) => {
    const now = clock.now();
    const rows = await findAccess(
      db,
      presented.map(({ familyId }) => familyId),
      now,
    );
    if (rows.length === 0) return presented.map(() => undefined);
    const clients = await applications.findClients([...new Set(rows.map(({ appId }) => appId))]);
    const rowOf = new Map(rows.map((row) => [row.familyId, row]));
    const clientOf = new Map(clients.map((client) => [client.appId, client]));
    return presented.map(({ familyId, hash }) => {
      const row = rowOf.get(familyId);
      if (!row || now >= row.accessExpiresAt || !timingSafeEqual(row.accessHash, hash)) return undefined;
      const client = clientOf.get(row.appId);
      return client && toCredential(row, client);
    });
  });
  return async (token: string): Promise<Credential | undefined> => {
    const presented = parseAccessToken(token);
    return presented && batcher.submit(presented, batchKeyOf(shards, presented.familyId));
  };
}

function toCredential(row: AccessRow, client: Client): Credential {
  return {
    kind: 'user',
    appId: row.appId,
    applicationState: client.state,
    scopes: row.accessScopes,
    requestsPerMinute: client.requestsPerMinute,
    accountId: row.accountId,
    // No single party is responsible for such a client: each person has a separate quota.
    ...(client.clientUrl !== null && { quotaOf: `${row.appId} ${row.accountId}` }),
  };
}
