import type { PersonLimits } from '#features/accounts/person-limits.ts';
import { type Account, findAccounts } from '#features/accounts/service.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { ApiError } from '#platform/errors.ts';
import type { Member } from './queries.ts';
import { refuseNewcomers } from './rules.ts';
import type { GroupActor } from './service.ts';

/**
 * Why these accounts may not become members, if so.
 *
 * @param accounts those of them that exist, held by the transaction; others may be among them
 */
export async function refuseToBring(
  tx: Tx,
  actor: GroupActor,
  accountIds: string[],
  { accounts, field, isCreation }: { accounts: Account[]; field: string; isCreation: boolean },
): Promise<ApiError | undefined> {
  const isByBot = actor.kind === 'bot';
  const living = new Map(
    accounts.flatMap((account) => (account.deletedAt === null ? [[account.accountId, account]] : [])),
  );
  const sides = accountIds.map((accountId) => contactKey(accountId, actor.accountId));
  const asksForContacts = isByBot || accounts.some(({ whoMayAddMe }) => whoMayAddMe === 'contacts');
  const contacts = asksForContacts && sides.length > 0 ? await findContacts(tx, sides) : [];
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
 * Lets a person bring these accounts into a group, unless that is too many who never wrote to the person. What is refused
 * after all does not count. Bots are bounded by whom they may add at all.
 *
 * @throws ApiError 429, and whatever the work throws
 */
export async function bringWithinLimits<T>(
  { db, limits }: { db: Db; limits: PersonLimits },
  { kind, accountId }: GroupActor,
  accountIds: string[],
  work: () => Promise<T>,
): Promise<T> {
  if (kind === 'bot' || accountIds.length === 0) return work();
  const [accounts, contacts] = await Promise.all([
    findAccounts(db, accountIds),
    findContacts(
      db,
      accountIds.map((id) => contactKey(id, accountId)),
    ),
  ]);
  const known = new Set(contacts.flatMap((contact) => (contact.wroteAt === null ? [] : contact.accountId)));
  const strangers = accounts.filter((account) => !account.isBot && !known.has(account.accountId));
  return limits.newMembers.around(accountId, strangers.length, work);
}

export function toMember(
  { accountId, isBot, appId }: Account,
  { isAdmin, joinedAt }: Pick<Member, 'isAdmin' | 'joinedAt'>,
): Member {
  return { accountId, isAdmin, botAppId: isBot ? appId : null, joinedAt };
}
