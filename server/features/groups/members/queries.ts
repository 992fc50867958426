import type { DeliveryApplication } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import { type GroupKey, isOfGroup, type Member } from '../queries.ts';

/** A possible membership. */
export interface MemberKey extends GroupKey {
  accountId: string;
}

/** The condition that a row is of this account in this group. */
function isOfMember(db: Db, key: MemberKey) {
  return db`${isOfGroup(db, key)} and account_id = ${key.accountId}`;
}

/** The given memberships, by primary key lookups, so that the cost does not grow with the size of the groups. */
export async function selectMembers(
  db: Db,
  keys: readonly MemberKey[],
): Promise<(Member & { groupId: string })[]> {
  if (keys.length === 0) return [];
  return db<(Member & { groupId: string })[]>`
    select group_id, account_id, is_admin, bot_app_id, joined_at
    from members
    where ${isOneOf(db, keys, ['groupId', 'accountId'])}`;
}

/** A bot that receives the messages of a group. */
export interface MemberBot {
  groupId: string;
  accountId: string;
  botAppId: string;
  joinedAt: number;
}

/** The bots of the given groups, through a partial index on bots. */
export async function selectMemberBots(db: Db, keys: GroupKey[]): Promise<MemberBot[]> {
  return db<MemberBot[]>`
    select group_id, account_id, bot_app_id, joined_at
    from members
    where ${isOneOf(db, keys, ['groupId'])} and bot_app_id is not null`;
}

/** A bot that receives the messages of a group, with its application's state if that was read too. */
type ReceiverBot = Omit<MemberBot, 'joinedAt'> &
  Partial<Pick<DeliveryApplication, 'state' | 'hasWebhookUrl'> & { isQuiet: boolean }>;

/**
 * The bots of the given groups and whether their applications receive events; on Citus, where applications are in other
 * shards, only the bots.
 */
export async function selectReceiverBots(
  db: Db,
  keys: GroupKey[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<ReceiverBot[]> {
  if (shards.isDistributed) return selectMemberBots(db, keys);
  return db<ReceiverBot[]>`
    select members.group_id, members.account_id, members.bot_app_id, application.state,
      application.webhook_url is not null or application.sealed_webhook_url is not null as has_webhook_url,
      exists (
        select from application_extensions
        where app_id = members.bot_app_id and extension = 'quiet_in_groups'
      ) as is_quiet
    from members
    join applications application on application.app_id = members.bot_app_id and application.state <> 'deleted'
    where ${isOneOf(db, keys, ['groupId'], { table: 'members', shards })} and members.bot_app_id is not null`;
}

/** The people in the given groups, without bots or duplicates. */
export async function selectPeopleIn(db: Db, keys: GroupKey[]): Promise<string[]> {
  const rows = await db<{ accountId: string }[]>`
    select distinct account_id
    from members
    where ${isOneOf(db, keys, ['groupId'])} and bot_app_id is null`;
  return rows.map(({ accountId }) => accountId);
}

/** One page of the members, in order of their IDs. */
export async function selectMemberPage(
  db: Db,
  key: GroupKey,
  { after, limit }: { after: string; limit: number },
): Promise<Member[]> {
  return db<Member[]>`
    select account_id, is_admin, bot_app_id, joined_at
    from members
    where ${isOfGroup(db, key)} and account_id > ${after}
    order by account_id
    limit ${limit}`;
}

export async function insertMembers(tx: Tx, { bucket, groupId }: GroupKey, members: Member[]): Promise<void> {
  const rows = members.map((member) => ({ bucket, groupId, ...member }));
  await tx`
    insert into members ${tx(rows, 'bucket', 'groupId', 'accountId', 'isAdmin', 'botAppId', 'joinedAt')}`;
}

export async function deleteMember(tx: Tx, key: MemberKey): Promise<void> {
  await tx`delete from members where ${isOfMember(tx, key)}`;
}

/** Returns the former members. */
export async function deleteAllMembers(tx: Tx, key: GroupKey): Promise<string[]> {
  const rows = await tx<{ accountId: string }[]>`
    delete from members where ${isOfGroup(tx, key)} returning account_id`;
  return rows.map(({ accountId }) => accountId);
}

export async function updateRole(tx: Tx, key: MemberKey, isAdmin: boolean): Promise<void> {
  await tx`update members set is_admin = ${isAdmin} where ${isOfMember(tx, key)}`;
}

export async function countAdmins(db: Db, key: GroupKey): Promise<number> {
  const [row] = await db<{ admins: number }[]>`
    select count(*)::integer as admins from members where ${isOfGroup(db, key)} and is_admin`;
  return row?.admins ?? 0;
}

/**
 * The successor of the last administrator: the longest-standing person, else the longest-standing member (decisions:
 * Groups).
 */
export async function findSuccessor(db: Db, key: GroupKey): Promise<string | undefined> {
  const [row] = await db<{ accountId: string }[]>`
    select account_id from members
    where ${isOfGroup(db, key)}
    order by bot_app_id is not null, joined_at, account_id
    limit 1`;
  return row?.accountId;
}

/** Adds a group to the lists of its members. Bots have a list too, with the groups to leave when they are deleted. */
export async function insertListings(
  tx: Tx,
  { bucket, groupId }: GroupKey,
  { accountIds, createdAt }: { accountIds: string[]; createdAt: number },
): Promise<void> {
  const rows = accountIds.map((accountId) => ({
    accountId,
    conversationId: groupId,
    bucket,
    kind: 'group',
    createdAt,
  }));
  await tx`
    insert into account_conversations ${tx(rows, 'accountId', 'conversationId', 'bucket', 'kind', 'createdAt')}
    on conflict (account_id, conversation_id) do nothing`;
}

/** Removes a group from the lists of former members, and the mentions of them there. */
export async function deleteListings(tx: Tx, groupId: string, accountIds: string[]): Promise<void> {
  // Before the listing, as when they read: otherwise the two deadlock.
  await tx`
    delete from mentions where account_id = any(${accountIds}) and conversation_id = ${groupId}`;
  await tx`
    delete from account_conversations
    where account_id = any(${accountIds}) and conversation_id = ${groupId}`;
}

export async function selectGroupsOf(db: Db, accountId: string): Promise<GroupKey[]> {
  return db<GroupKey[]>`
    select bucket, conversation_id as group_id
    from account_conversations where account_id = ${accountId} and kind = 'group'
    order by conversation_id`;
}

/** One page of them. */
export async function selectGroupPage(
  db: Db,
  accountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<GroupKey[]> {
  return db<GroupKey[]>`
    select bucket, conversation_id as group_id
    from account_conversations
    where account_id = ${accountId} and kind = 'group' and conversation_id > ${after}
    order by conversation_id
    limit ${limit}`;
}

/** Notes that an administrator removed somebody. */
export async function insertRemoval(
  tx: Tx,
  { bucket, groupId, accountId }: MemberKey,
  removedAt: number,
): Promise<void> {
  await tx`
    insert into removed_members (bucket, group_id, account_id, removed_at)
    values (${bucket}, ${groupId}, ${accountId}, ${removedAt})
    on conflict (bucket, group_id, account_id) do update set removed_at = excluded.removed_at`;
}

/** Whether an administrator removed this person, and nobody added them again. */
export async function selectIsRemoved(db: Db, key: MemberKey): Promise<boolean> {
  const rows = await db`select account_id from removed_members where ${isOfMember(db, key)}`;
  return rows.length === 1;
}

/** They were added again. */
export async function forgetRemovals(tx: Tx, key: GroupKey, accountIds: string[]): Promise<void> {
  await tx`delete from removed_members where ${isOfGroup(tx, key)} and account_id = any(${accountIds})`;
}

/** The groups from which an account was removed, over all shards. */
export async function selectRemovalsOf(
  db: Db,
  accountId: string,
): Promise<{ groupId: string; removedAt: number }[]> {
  return db`
    select group_id, removed_at from removed_members where account_id = ${accountId} order by group_id`;
}

/** Notes who is not in a group any more. */
export async function insertFormerMembers(tx: Tx, keys: readonly MemberKey[]): Promise<void> {
  await tx`
    insert into former_members ${tx(keys, 'bucket', 'groupId', 'accountId')}
    on conflict (bucket, group_id, account_id) do nothing`;
}

/** The groups that an account was in once and is not in now, over all shards. */
export async function selectFormerGroups(db: Db, accountId: string): Promise<GroupKey[]> {
  return db<GroupKey[]>`
    select bucket, group_id from former_members
    where account_id = ${accountId} and not exists (
      select from members
      where members.bucket = former_members.bucket and members.group_id = former_members.group_id
        and members.account_id = former_members.account_id)
    order by group_id`;
}

/** Over all shards. */
export async function deleteFormerMember(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from former_members where account_id = ${accountId}`;
}

/** Over all shards. */
export async function deleteRemovalsOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from removed_members where account_id = ${accountId}`;
}
