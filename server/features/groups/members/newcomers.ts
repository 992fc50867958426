import type { Account, Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Tx } from '#platform/database.ts';
import type { ApiError } from '#platform/errors.ts';
import { deleteJoinRequests } from '../link-queries.ts';
import { note, noteMovement } from '../notices.ts';
import { type Group, type Member, updateMemberCount } from '../queries.ts';
import { refuseNewcomers, refuseSize } from '../rules.ts';
import type { GroupActor, GroupDeps } from '../service.ts';
import { insertListings, insertMembers } from './queries.ts';

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
  const contacts = sides.length > 0 ? await deps.contacts.find(sides, tx) : [];
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
): Promise<{ group: Group; shows: (() => void)[] }> {
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
  return { group: { ...group, memberCount, joinRequestCount }, shows };
}

export function toMember(
  { accountId, isBot, appId }: Account,
  { isAdmin, joinedAt }: Pick<Member, 'isAdmin' | 'joinedAt'>,
): Member {
  return { accountId, isAdmin, botAppId: isBot ? appId : null, joinedAt };
}
