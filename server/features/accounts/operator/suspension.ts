import type { Tx } from '#platform/database.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import type { OperatorAccountDeps } from '../deps.ts';
import type { AccountHook } from '../hook.ts';
import { lockAccount, selectLogin } from '../queries.ts';
import { announceEnd, endSessions } from '../sessions/session.ts';
import { lockSuspension, updateSuspension } from '../suspension/queries.ts';
import { isInForce, NO_END } from '../suspension/rules.ts';

/** An act of an operator: the account, the hooks of other features, and further writes in the same transaction. */
interface Act {
  accountId: string;
  hooks: readonly AccountHook[];
  extraWrites: (tx: Tx) => Promise<void>;
}

/**
 * Keeps a person from signing in until then, or until it is lifted, and ends all sessions: once this returns,
 * none of their requests is admitted. A second suspension replaces the first.
 *
 * @param until epoch milliseconds
 * @throws ApiError 404
 */
export async function suspendPerson(
  { db, live }: OperatorAccountDeps,
  { until = NO_END, reason }: { until: number | undefined; reason: string },
  { accountId, hooks, extraWrites }: Act,
): Promise<void> {
  const ended = await db.begin(async (tx) => {
    await lockPerson(tx, accountId);
    await updateSuspension(tx, accountId, { until, reason });
    for (const hook of hooks) await hook.suspensionChanged?.(tx, { accountId, until });
    await extraWrites(tx);
    return endSessions(tx, accountId);
  });
  announceEnd(live, ended);
}

/** @throws ApiError 404; 400 for a person who is not suspended */
export async function liftSuspension(
  { db, clock }: OperatorAccountDeps,
  { accountId, hooks, extraWrites }: Act,
): Promise<void> {
  await db.begin(async (tx) => {
    await lockPerson(tx, accountId);
    const suspension = await lockSuspension(tx, accountId);
    if (!isInForce(suspension, clock.now())) throw failedPrecondition('account.not-suspended');
    await updateSuspension(tx, accountId, undefined);
    for (const hook of hooks) await hook.suspensionChanged?.(tx, { accountId, until: null });
    await extraWrites(tx);
  });
}

async function lockPerson(tx: Tx, accountId: string): Promise<void> {
  const isThere = await lockAccount(tx, accountId);
  // Bots are suspended with their application.
  if (!isThere || !(await selectLogin(tx, accountId))) throw notFound('account.unknown');
}
