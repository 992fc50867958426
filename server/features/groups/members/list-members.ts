import type { GroupMembers, ListGroups, ListMembers, OwnGroups, ShownMembers } from '#contract/groups.ts';
import { viewAccount, viewPeer } from '#features/accounts/index.ts';
import { publicFileUrl } from '#platform/files/upload-links.ts';
import { pageOf, readCursor } from '#platform/http/cursor.ts';
import type { Platform } from '#platform/platform.ts';
import { viewGroup } from '../announce.ts';
import { type Group, type Member, selectGroups } from '../queries.ts';
import { groupNotFound, isKnownIn, refuseToRead } from '../rules.ts';
import { findGroupForActor, type GroupActor, type GroupDeps } from '../service.ts';
import { selectGroupPage, selectMemberPage, selectMembers } from './queries.ts';

const PAGE_SIZE = 100;

/** The members of a group for the API: with the names of those whom a bot knows there; for people ids only. */
export async function listMembers(
  deps: GroupDeps,
  { kind, accountId }: GroupActor,
  asked: ListMembers,
): Promise<GroupMembers> {
  const { group, page, nextCursor } = await readPage(deps, accountId, asked);
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

/** The same with names and pictures, for people's clients. */
export async function showMembers(
  deps: GroupDeps,
  accountId: string,
  asked: ListMembers,
): Promise<ShownMembers> {
  const { page, nextCursor } = await readPage(deps, accountId, asked);
  const accounts = await deps.accounts.findByIds(page.map((member) => member.accountId));
  const members = page.flatMap((member) => {
    const account = accounts.get(member.accountId);
    return account ? { ...viewPeer(account), isAdmin: member.isAdmin, joinedAt: member.joinedAt } : [];
  });
  return { members, ...nextCursor };
}

async function readPage(
  deps: GroupDeps,
  accountId: string,
  { groupId, cursor }: ListMembers,
): Promise<{ group: Group; page: Member[]; nextCursor: { nextCursor?: string } }> {
  const after = readCursor('usr', 'cursor', cursor) ?? '';
  const group = await findReadableGroup(deps, accountId, groupId);
  const rows = await selectMemberPage(deps.db, group, { after, limit: PAGE_SIZE + 1 });
  const { page, last } = pageOf(rows, PAGE_SIZE);
  return { group, page, nextCursor: last ? { nextCursor: last.accountId } : {} };
}

async function findReadableGroup({ db }: GroupDeps, accountId: string, groupId: string): Promise<Group> {
  const found = await findGroupForActor(db, groupId, accountId);
  const refusal = found ? refuseToRead(found.member) : groupNotFound(groupId);
  if (!found || refusal) throw refusal;
  return found.group;
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
  const [groups, memberships] =
    page.length === 0
      ? [[], []]
      : await Promise.all([
          selectGroups(db, page),
          selectMembers(
            db,
            page.map((key) => ({ ...key, accountId })),
          ),
        ]);
  const memberOf = new Map(memberships.map((member) => [member.groupId, member]));
  const groupOf = new Map(groups.map((group) => [group.groupId, group]));
  return {
    groups: page.flatMap(({ groupId }) => {
      const [group, member] = [groupOf.get(groupId), memberOf.get(groupId)];
      return group && member ? viewOwnGroup(config, group, member) : [];
    }),
    ...(last && { nextCursor: last.groupId }),
  };
}

function viewOwnGroup(
  config: Platform['config'],
  group: Group,
  { isAdmin, joinedAt }: Member,
): OwnGroups['groups'][number] {
  const { photoUrl, photoSetBy: _, joinRequestCount: __, ...shown } = viewGroup(group);
  return {
    ...shown,
    ...(photoUrl !== undefined && { photoUrl: publicFileUrl(config, photoUrl) }),
    isAdmin,
    joinedAt,
  };
}
