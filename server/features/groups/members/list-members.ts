import type { GroupMembers, ListGroups, ListMembers, OwnGroups, ShownMembers } from '#contract/groups.ts';
import { viewAccount, viewPeer } from '#features/accounts/index.ts';
import { publicFileUrl } from '#platform/files/upload-links.ts';
import { pageOf, readCursor } from '#platform/http/cursor.ts';
import type { Platform } from '#platform/platform.ts';
import { viewGroup } from '../announce.ts';
import { type Group, type Member, selectGroups } from '../queries.ts';
import { groupNotFound, isKnownIn, isKnownToAll, refuseToRead } from '../rules.ts';
import { findGroupForActor, findGroupsForActors, type GroupActor, type GroupDeps } from '../service.ts';
import { selectGroupPage, selectGroupsOf, selectMemberPage, selectMembers } from './queries.ts';

const PAGE_SIZE = 100;

/** The members of a group for the API: with the names of those whom a bot knows there; for people ids only. */
export async function listMembers(
  deps: GroupDeps,
  { kind, accountId }: GroupActor,
  asked: ListMembers,
): Promise<GroupMembers> {
  const { group, after } = await findReadable(deps, accountId, asked);
  const { page, nextCursor } = await readPage(deps, group, after);
  const named = page.filter((member) => kind === 'bot' && isKnownIn(group, accountId, member.accountId));
  const accounts = await deps.accounts.findByIds(named.map((member) => member.accountId));
  const members = page.map(({ accountId: userId, botAppId, isAdmin, joinedAt }) => {
    const account = accounts.get(userId);
    return {
      ...(account && viewAccount(deps.config, account)),
      userId,
      isBot: botAppId !== null,
      isAdmin,
      joinedAt,
    };
  });
  return { members, ...nextCursor };
}

/** The same with names and pictures, for people's clients: to a reader of a broadcast list, only its creator and the reader. */
export async function showMembers(
  deps: GroupDeps,
  accountId: string,
  asked: ListMembers,
): Promise<ShownMembers> {
  const { group, after } = await findReadable(deps, accountId, asked);
  const { page, nextCursor } = isKnownToAll(group, accountId)
    ? await readPage(deps, group, after)
    : { page: await selectKnownTo(deps, group, accountId), nextCursor: {} };
  const accounts = await deps.accounts.findByIds(page.map((member) => member.accountId));
  const members = page.flatMap((member) => {
    const account = accounts.get(member.accountId);
    return account ? { ...viewPeer(account), isAdmin: member.isAdmin, joinedAt: member.joinedAt } : [];
  });
  return { members, ...nextCursor };
}

async function readPage(
  { db }: GroupDeps,
  group: Group,
  after: string,
): Promise<{ page: Member[]; nextCursor: { nextCursor?: string } }> {
  const rows = await selectMemberPage(db, group, { after, limit: PAGE_SIZE + 1 });
  const { page, last } = pageOf(rows, PAGE_SIZE);
  return { page, nextCursor: last ? { nextCursor: last.accountId } : {} };
}

function selectKnownTo({ db }: GroupDeps, group: Group, readerId: string): Promise<Member[]> {
  return selectMembers(db, [
    { ...group, accountId: group.creatorId },
    { ...group, accountId: readerId },
  ]);
}

/** The group, and the member after whom its page begins. */
async function findReadable(
  { db }: GroupDeps,
  accountId: string,
  { groupId, cursor }: ListMembers,
): Promise<{ group: Group; after: string }> {
  const after = readCursor('usr', 'cursor', cursor) ?? '';
  const found = await findGroupForActor(db, groupId, accountId);
  const refusal = found ? refuseToRead(found.member) : groupNotFound(groupId);
  if (!found || refusal) throw refusal;
  return { group: found.group, after };
}

/** The groups that a bot is in. */
export async function listGroups(
  { db, config }: GroupDeps,
  accountId: string,
  { cursor }: ListGroups,
): Promise<OwnGroups> {
  const after = readCursor('grp', 'cursor', cursor) ?? '';
  const rows = await selectGroupPage(db, accountId, { after, limit: PAGE_SIZE + 1 });
  const { page, last } = pageOf(rows, PAGE_SIZE);
  const keys = page.map((key) => ({ ...key, accountId }));
  const found = await findGroupsForActors(db, keys);
  return {
    groups: found.flatMap((one) => (one?.member ? viewOwnGroup(config, one.group, one.member) : [])),
    ...(last && { nextCursor: last.groupId }),
  };
}

function viewOwnGroup(
  config: Platform['config'],
  group: Group,
  { isAdmin, joinedAt }: Member,
): OwnGroups['groups'][number] {
  const { photoUrl, photoSetBy: _, ...shown } = viewGroup(group);
  return {
    ...shown,
    ...(photoUrl !== undefined && { photoUrl: publicFileUrl(config, photoUrl) }),
    isAdmin,
    joinedAt,
  };
}

/** The groups that both accounts are in. */
export async function findSharedGroups(
  { db }: GroupDeps,
  accountId: string,
  otherId: string,
): Promise<Group[]> {
  const own = await selectGroupsOf(db, accountId);
  const shared = await selectMembers(
    db,
    own.map((group) => ({ ...group, accountId: otherId })),
  );
  const sharedIds = new Set(shared.map(({ groupId }) => groupId));
  return selectGroups(
    db,
    own.filter(({ groupId }) => sharedIds.has(groupId)),
  );
}

/** Where an account is known: the groups whose members all know it, and the creators of broadcast lists that it reads. */
export async function findGroupsKnowing(
  { db }: GroupDeps,
  accountId: string,
): Promise<{ groups: Group[]; creatorIds: string[] }> {
  const all = await selectGroups(db, await selectGroupsOf(db, accountId));
  return {
    groups: all.filter((group) => isKnownToAll(group, accountId)),
    creatorIds: all.flatMap((group) => (isKnownToAll(group, accountId) ? [] : group.creatorId)),
  };
}
