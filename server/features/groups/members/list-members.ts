import type { GroupMembers, ListMembers, ShownMembers } from '#contract/groups.ts';
import { type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { Group, Member } from '../queries.ts';
import { groupNotFound, refuseToRead } from '../rules.ts';
import { findGroupForActor } from '../service.ts';
import { selectMemberPage } from './queries.ts';

type Deps = Pick<Platform, 'db'>;

const PAGE_SIZE = 100;

/** The members of a group for the API: IDs only. */
export async function listMembers(deps: Deps, accountId: string, asked: ListMembers): Promise<GroupMembers> {
  const { page, nextCursor } = await readPage(deps, accountId, asked);
  const members = page.map(({ accountId: userId, botAppId, isAdmin, joinedAt }) => ({
    userId,
    isBot: botAppId !== null,
    isAdmin,
    joinedAt,
  }));
  return { members, ...nextCursor };
}

/** The same with names and pictures, for people's clients. */
export async function showMembers(
  deps: Deps & { accounts: Accounts },
  accountId: string,
  asked: ListMembers,
): Promise<ShownMembers> {
  const { page, nextCursor } = await readPage(deps, accountId, asked);
  const accounts = await deps.accounts.findAll(page.map((member) => member.accountId));
  const memberOf = new Map(page.map((member) => [member.accountId, member]));
  const members = accounts
    .toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))
    .map((account) => {
      const { isAdmin, joinedAt } = memberOf.get(account.accountId) as Member;
      return { ...viewPeer(account), isAdmin, joinedAt };
    });
  return { members, ...nextCursor };
}

async function readPage(
  deps: Deps,
  accountId: string,
  { groupId, cursor = '' }: ListMembers,
): Promise<{ page: Member[]; nextCursor: { nextCursor?: string } }> {
  const group = await findReadableGroup(deps, accountId, groupId);
  const rows = await selectMemberPage(deps.db, group, { after: cursor, limit: PAGE_SIZE + 1 });
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > PAGE_SIZE && last ? { nextCursor: last.accountId } : {} };
}

async function findReadableGroup({ db }: Deps, accountId: string, groupId: string): Promise<Group> {
  const found = await findGroupForActor(db, groupId, accountId);
  const refusal = found ? refuseToRead(found.member) : groupNotFound();
  if (!found || refusal) throw refusal;
  return found.group;
}
