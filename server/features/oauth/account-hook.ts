import type { ApplicationCalls, ConnectedApplications, EndReason } from '#contract/oauth.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import {
  deleteConnections,
  selectDeletedWithGrants,
  selectGrantsOf,
  takeApplicationGrants,
} from './connection-queries.ts';
import { listConnections } from './connections/connections.ts';
import { deleteCallsOf, listCalls } from './connections/ledger.ts';
import type { OAuthDeps } from './deps.ts';
import { recordLogouts } from './openid/logout.ts';
import { deleteOpenIdSettings } from './openid/settings.ts';
import { endGrants, updateGrantsHeld } from './queries.ts';

/** Some 40 ms of the database. */
const SLICE = 1_000;
/** Limits the time of one step; the next one continues. */
const MAX_SLICES = 200;

/**
 * A deleted application's codes and tokens are revoked with the deletion (contract §3), since those of a
 * deleted application are not accepted. The end of the grants is recorded for a first slice then, and for the
 * rest by the worker. Its addresses for logouts are deleted.
 */
export async function endGrantsWithApplication(
  deps: OAuthDeps,
  tx: Tx,
  application: { appId: string; at: number },
): Promise<void> {
  await endSlice(deps, tx, application);
  await deleteOpenIdSettings(tx, application.appId);
}

/** One step of the worker: records the end of grants to deleted applications. */
export async function endGrantsOfDeleted(deps: OAuthDeps): Promise<void> {
  const { db, clock } = deps;
  let slices = 0;
  for (const appId of await selectDeletedWithGrants(db, MAX_SLICES)) {
    const end = (tx: Tx) => endSlice(deps, tx, { appId, at: clock.now() });
    while (slices++ < MAX_SLICES && (await db.begin(end)) === SLICE);
  }
}

async function endSlice(
  { shards }: OAuthDeps,
  tx: Tx,
  { appId, at }: { appId: string; at: number },
): Promise<number> {
  const families = await takeApplicationGrants(tx, appId, SLICE);
  if (families.length > 0) await endGrants(tx, shards, families, { at, reason: 'application-deleted' });
  return families.length;
}

const CALLS_PER_SLICE = 5_000;

/** Tokens wait while their person is suspended. */
export function createSuspensionHook({ shards }: Pick<OAuthDeps, 'shards'>) {
  return {
    async suspensionChanged(tx, { accountId, until }) {
      const families = await selectGrantsOf(tx, accountId);
      if (until !== null) await recordLogouts(tx, families);
      await updateGrantsHeld(tx, shards, families, until);
    },
  } satisfies AccountHook;
}

/** Grants to applications end with the account. */
export function createOAuthAccountHook(deps: OAuthDeps): AccountHook {
  const { db, shards } = deps;
  const endGrantsOf = async (tx: Tx, accountId: string, end: { at: number; reason: EndReason }) => {
    const families = await selectGrantsOf(tx, accountId);
    await recordLogouts(tx, families);
    await endGrants(tx, shards, families, end);
  };
  return {
    sections: {
      async *connectedApplications(accountId) {
        let cursor: string | undefined;
        do {
          const page: ConnectedApplications = await listConnections(deps, accountId, cursor);
          yield* page.applications;
          cursor = page.nextCursor;
        } while (cursor !== undefined);
      },
      async *applicationCalls(accountId) {
        let before: string | undefined;
        do {
          const page: ApplicationCalls = await listCalls(deps, accountId, { before });
          yield* page.calls;
          before = page.nextBefore;
        } while (before !== undefined);
      },
    },
    /** There may be a million. If the request is interrupted, the next one continues. */
    async beforeDeletion(accountId) {
      while ((await db.begin((tx) => deleteCallsOf(tx, accountId, CALLS_PER_SLICE))) === CALLS_PER_SLICE);
    },
    ...createSuspensionHook(deps),
    takenOver: (tx, { accountId, at }) => endGrantsOf(tx, accountId, { at, reason: 'revoked-by-person' }),
    async deleted(tx, { accountId, at }) {
      await endGrantsOf(tx, accountId, { at, reason: 'account-deleted' });
      await deleteConnections(tx, accountId);
      await deleteCallsOf(tx, accountId, CALLS_PER_SLICE);
    },
  };
}
