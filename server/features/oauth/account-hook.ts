import type { AccountHook } from '#features/accounts/index.ts';
import { deleteConnections, selectGrantsOf } from './connection-queries.ts';
import { listConnections } from './connections/connections.ts';
import { listCalls } from './connections/ledger.ts';
import { deleteCallsOf } from './connections/ledger-queries.ts';
import type { OAuthDeps } from './deps.ts';
import { recordLogouts } from './openid/logout/record-logouts.ts';
import { endGrants, updateGrantsHeld } from './queries.ts';

const CALLS_PER_SLICE = 5_000;

/** Tokens wait while their person is suspended. */
export const suspensionHook: Pick<AccountHook, 'suspensionChanged'> = {
  async suspensionChanged(tx, { accountId, until }) {
    const families = await selectGrantsOf(tx, accountId);
    if (until !== null) await recordLogouts(tx, families);
    await updateGrantsHeld(tx, families, until);
  },
};

/** Grants to applications end with the account. */
export function createOAuthAccountHook(deps: OAuthDeps): AccountHook {
  const { db } = deps;
  return {
    sections: {
      async *connectedApplications(accountId) {
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const page: Awaited<ReturnType<typeof listConnections>> = await listConnections(
            deps,
            accountId,
            cursor,
          );
          yield* page.applications;
          cursor = page.nextCursor;
        }
      },
      async *applicationCalls(accountId) {
        let before: string | undefined;
        do {
          const page: Awaited<ReturnType<typeof listCalls>> = await listCalls(deps, accountId, { before });
          yield* page.calls;
          before = page.nextBefore;
        } while (before !== undefined);
      },
    },
    /** There may be a million. If the request is interrupted, the next one continues. */
    async beforeDeletion(accountId) {
      while ((await db.begin((tx) => deleteCallsOf(tx, accountId, CALLS_PER_SLICE))) === CALLS_PER_SLICE);
    },
    ...suspensionHook,
    async deleted(tx, { accountId, at }) {
      const families = await selectGrantsOf(tx, accountId);
      await recordLogouts(tx, families);
      await endGrants(tx, families, { at, reason: 'account-deleted' });
      await deleteConnections(tx, accountId);
      await deleteCallsOf(tx, accountId, CALLS_PER_SLICE);
    },
  };
}
