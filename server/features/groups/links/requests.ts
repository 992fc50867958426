import type { DecideJoinRequest, JoinRequests } from '#contract/group-links.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { notFound } from '#platform/errors.ts';
import { deleteJoinRequests, selectHasAsked, selectJoinRequests } from '../link-queries.ts';
import { insertRemoval } from '../members/queries.ts';
import { findGroupToAdminister, type GroupDeps, lockGroupToAdminister } from '../service.ts';
import { announce, type Joined, letIn } from './join.ts';

/** Those who ask to join, for administrators. @throws ApiError 404 group, 403 right */
export async function listJoinRequests(
  deps: GroupDeps,
  accountId: string,
  groupId: string,
): Promise<JoinRequests> {
  const group = await findGroupToAdminister(deps.db, groupId, accountId);
  const rows = await selectJoinRequests(deps.db, group);
  const accounts = await deps.accounts.findAll(rows.map((row) => row.accountId));
  const accountOf = new Map(accounts.map((account) => [account.accountId, account]));
  const requests = rows.flatMap(({ accountId, requestedAt }) => {
    const account = accountOf.get(accountId);
    return account ? { ...viewPeer(account), requestedAt } : [];
  });
  return { requests };
}

/**
 * An administrator lets in somebody who asks to join, or refuses: then no link lets them in until an administrator adds them.
 *
 * @throws ApiError 404 group, 403 right, 404 request, 429 size
 */
export async function decideJoinRequest(
  deps: GroupDeps,
  accountId: string,
  { groupId, userId, isAccepted }: DecideJoinRequest,
): Promise<{ groupId: string }> {
  const decided = await deps.db.begin(async (tx): Promise<Joined> => {
    const [account] = await deps.accounts.lockShared(tx, [userId]);
    const group = await lockGroupToAdminister(tx, groupId, accountId);
    if (!account || !(await selectHasAsked(tx, group, userId))) throw notFound('group.no-such-request');
    if (isAccepted) return letIn(tx, deps, group, account);
    await insertRemoval(tx, { ...group, accountId: userId }, deps.clock.now());
    return { group: { ...group, joinRequestCount: await deleteJoinRequests(tx, group, [userId]) } };
  });
  announce(deps, decided);
  return { groupId };
}
