import assert from 'node:assert/strict';
import type { ChatMessage } from '#contract/chat.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Answer } from '#testing/answers.ts';
import type { Person } from '#testing/world.ts';
import type { Arena } from '../arena.ts';

/** The statuses of the requests, in their order. */
export function statuses(results: readonly unknown[]): number[] {
  return (results as readonly Answer[]).map(({ status }) => status);
}

/** The answer to each of the requests has one of its statuses, which are returned. */
export function expectStatuses(results: readonly unknown[], ...allowed: (number | number[])[]): number[] {
  const found = statuses(results);
  assert.equal(found.length, allowed.length);
  for (const [i, statuses] of allowed.entries())
    assert.ok([statuses].flat().includes(found[i] ?? 0), `request ${i}: ${JSON.stringify(results[i])}`);
  return found;
}

/** So many of the requests succeeded, and the others were refused with this status. */
export function expectWinners(results: readonly unknown[], winners: number, refusal: number): void {
  const lost = statuses(results).filter((status) => status >= 300);
  assert.deepEqual(
    lost,
    Array.from({ length: results.length - winners }, () => refusal),
  );
}

export async function changeRole(
  by: Person,
  groupId: string,
  memberId: string,
  isAdmin: boolean,
): Promise<Answer> {
  return by.calls('PATCH', '/api/chat/groups/members/role', { groupId, memberId, isAdmin });
}

export async function removeFromGroup(by: Person, groupId: string, memberId: string): Promise<Answer> {
  return by.calls('POST', '/api/chat/groups/members/remove', { groupId, memberId });
}

/** A person deletes their account; those of the world have this address. */
export async function endAccount(person: Person): Promise<Answer> {
  return person.calls('POST', '/api/auth/account/delete', { email: `${person.accountId}@example.com` });
}

/** The number of members is what is stored beside the group, and there is an administrator if there is anybody. */
export async function expectWholeGroup({ world }: Arena, groupId: string): Promise<void> {
  const [row] = await world.db<{ memberCount: number; members: number; admins: number; listed: number }[]>`
    select member_count, (select count(*)::integer from members where group_id = groups.group_id) as members,
      (select count(*)::integer from members where group_id = groups.group_id and is_admin) as admins,
      (select count(*)::integer from account_conversations where conversation_id = groups.group_id) as listed
    from groups where group_id = ${groupId}`;
  assert.ok(row);
  assert.equal(row.memberCount, row.members, 'the count of members');
  assert.equal(row.listed, row.members, 'the lists of members');
  assert.ok(row.members === 0 || row.admins > 0, 'a group without an administrator');
}

/** The texts of a conversation that are not deleted, as stored now. */
export async function countMessages({ world }: Arena, conversationId: string): Promise<number> {
  const [row] = await world.db<{ count: number }[]>`
    select count(*)::integer as count from messages where conversation_id = ${conversationId} and type <> 'deleted'`;
  return row?.count ?? 0;
}

export const text = (to: string, content = 'hi') => ({ to, type: 'text', content });

/** A person who wrote to a bot, whose key the servers know already. */
export async function withBot(arena: Arena) {
  const [ada, bot] = [await arena.world.person(), await arena.world.bot({ requestsPerMinute: 1_000_000 })];
  await ada.writes(bot, 'hi');
  for (const server of [0, 1, 2])
    await arena.bot(server, bot).gets('POST', '/v1/messages', text(ada.accountId));
  return { ada, bot, conversationId: privateConversationId(ada.accountId, bot.accountId) };
}

/** Where a person's page changes a message. */
export function pathOf({ conversationId, msgId }: Pick<ChatMessage, 'conversationId' | 'msgId'>): string {
  return `/api/chat/conversations/${conversationId}/messages/${msgId}`;
}
