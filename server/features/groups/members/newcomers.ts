import type { AddMembers } from '#contract/groups.ts';
import type { Account, Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { ApiError } from '#platform/errors.ts';
import { announceJoined, inOrder, note, noteMovement } from '../announce.ts';
import { deleteJoinRequests } from '../link-queries.ts';
import { type Group, type Member, updateMemberCount } from '../queries.ts';
import { refuseNewcomers, refuseSize } from '../rules.ts';
import { findGroupToAdminister, type GroupActor, type GroupDeps, lockGroupToAdminister } from '../service.ts';
import { forgetRemovals, insertListings, insertMembers, selectMembers } from './queries.ts';

/**
 * The reason why these accounts may not become members, if any.
 *
 * @param accounts the existing ones among them, locked by the transaction; may include others
 */
export async function refuseToBring(
  tx: Tx,
  deps: { contacts: Contacts },
  actor: GroupActor,
  accountIds: string[],
  { accounts, field, isCreation }: { accounts: Account[]; field: string; isCreation: boolean },
): Promise<ApiError | undefined> {
  const isByBot = actor.kind === 'bot';
  const living = new Map(
    accounts.flatMap((account) => (account.deletedAt === null ? [[account.accountId, account]] : [])),
  );
  const sides = accountIds.map((accountId) => contactKey(accountId, actor.accountId));
  const contacts = await deps.contacts.find(sides, tx);
  const contactOf = new Map(contacts.map((contact) => [contact.accountId, contact]));
  const newcomers = accountIds.map((accountId) => ({
    exists: living.has(accountId),
    whoMayAddMe: living.get(accountId)?.whoMayAddMe ?? 'everybody',
    hasWritten: contactOf.get(accountId)?.wroteAt != null,
    hasBlocked: contactOf.get(accountId)?.blockedAt != null,
  }));
  return refuseNewcomers(newcomers, { field, isByBot, isCreation });
}

/**
 * Limits how many strangers (people who never wrote to the actor) a person may add to groups. Refused requests do not count.
 * Bots need no limit, since they may only add accounts that wrote to them.
 *
 * @throws ApiError 429, and whatever the work throws
 */
export async function bringWithinLimits<T>(
  deps: { accounts: Accounts; contacts: Contacts },
  { kind, accountId }: GroupActor,
  accountIds: string[],
  work: () => Promise<T>,
): Promise<T> {
  if (kind === 'bot' || accountIds.length === 0) return work();
  const [accounts, contacts] = await Promise.all([
    deps.accounts.findAll(accountIds),
    deps.contacts.find(accountIds.map((id) => contactKey(id, accountId))),
  ]);
  const known = new Set(contacts.flatMap((contact) => (contact.wroteAt === null ? [] : contact.accountId)));
  const strangers = accounts.filter((account) => !account.isBot && !known.has(account.accountId));
  return deps.accounts.limits.newMembers.around(accountId, strangers.length, work);
}

/**
 * They become members, are in each other's lists, and are announced. The transaction has locked the group and their accounts.
 *
 * @param from who adds them, or joins
 * @returns the group afterwards, and what to do after the commit
 * @throws ApiError 429 size
 */
export async function makeMembers(
  tx: Tx,
  deps: GroupDeps,
  group: Group,
  { accounts, from }: { accounts: readonly Account[]; from: string },
): Promise<{ group: Group; show: () => void }> {
  const at = deps.clock.now();
  const accountIds = accounts.map(({ accountId }) => accountId);
  const memberCount = group.memberCount + accounts.length;
  const refusal = refuseSize(memberCount, deps.config.maxGroupMembers);
  if (refusal) throw refusal;
  const members = accounts.map((account) => toMember(account, { isAdmin: false, joinedAt: at }));
  await insertMembers(tx, group, members);
  await updateMemberCount(tx, group, memberCount);
  const joinRequestCount = await deleteJoinRequests(tx, group, accountIds);
  await insertListings(tx, group, { accountIds, createdAt: at });
  const shows = [
    await note(tx, deps, group, { kind: 'joined', userIds: accountIds, from, at }),
    await noteMovement(tx, deps, group, { joined: accountIds, from, at }),
  ];
  return { group: { ...group, memberCount, joinRequestCount }, show: inOrder(shows) };
}

export function toMember(
  { accountId, isBot, appId }: Account,
  { isAdmin, joinedAt }: Pick<Member, 'isAdmin' | 'joinedAt'>,
): Member {
  return { accountId, isAdmin, botAppId: isBot ? appId : null, joinedAt };
}

/**
 * An administrator adds members, all or none; existing members are not an error (decisions: Groups).
 *
 * @throws ApiError 404 group, 403 right, 404 unknown user, 403 never wrote to the bot, 429 size, or too many who never wrote
 * to the person
 */
export async function addMembers(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, memberIds }: AddMembers,
): Promise<void> {
  // Refuses outsiders before taking locks; checked again under the lock.
  const seen = await findGroupToAdminister(deps.db, groupId, actor.accountId);
  const asked = [...new Set(memberIds)];
  const newIds = await withoutMembers(deps.db, seen, asked);
  const joined = await bringWithinLimits(deps, actor, newIds, () =>
    insertNewcomers(deps, actor, { groupId, asked }),
  );
  if (!joined) return;
  announceJoined(deps, joined.group, joined.newIds);
  joined.show();
}

async function withoutMembers(db: Db, group: Group, accountIds: string[]): Promise<string[]> {
  const present = await selectMembers(
    db,
    accountIds.map((accountId) => ({ ...group, accountId })),
  );
  const known = new Set(present.map(({ accountId }) => accountId));
  return accountIds.filter((accountId) => !known.has(accountId));
}

/** Undefined if all of them are already members. */
function insertNewcomers(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, asked }: { groupId: string; asked: string[] },
): Promise<{ group: Group; newIds: string[]; show: () => void } | undefined> {
  return deps.db.begin(async (tx) => {
    // The actor's, too: whoever blocks them waits for this.
    const accounts = await deps.accounts.lockShared(tx, [...asked, actor.accountId]);
    const group = await lockGroupToAdminister(tx, groupId, actor.accountId);
    const newIds = await withoutMembers(tx, group, asked);
    const brought = { accounts, field: 'memberIds', isCreation: false };
    const refusal = await refuseToBring(tx, deps, actor, newIds, brought);
    if (refusal) throw refusal;
    if (newIds.length === 0) return undefined;
    const accountOf = new Map(accounts.map((account) => [account.accountId, account]));
    const added = newIds.flatMap((accountId) => accountOf.get(accountId) ?? []);
    const joined = await makeMembers(tx, deps, group, { accounts: added, from: actor.accountId });
    await forgetRemovals(tx, group, newIds);
    return { ...joined, newIds };
  });
}
