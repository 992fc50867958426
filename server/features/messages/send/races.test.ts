import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '#contract/chat.ts';
import { privateConversationId } from '#platform/ids.ts';
import { createWorld } from '#testing/world.ts';

/** Each in turn begins first; a round is one race. */
const ROUNDS = 10;

/** Begins both at once, in this order or the other. */
async function race<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (round % 2 === 0) return Promise.all([one(), other()]);
  const [second, first] = await Promise.all([other(), one()]);
  return [first, second];
}

const draft = (conversationId: string) => ({ conversationId, content: 'Sunn' });

test('a streamed message ends as it is sent, or is refused, whichever of it and a block comes first', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ requestsPerMinute: 1_000 });
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await world.person();
    await ada.writes(bot, 'hi');
    assert.equal((await bot.calls('PUT', '/v1/messages/draft', draft(ada.accountId))).status, 200);
    const message = { to: ada.accountId, type: 'text', content: 'Sunny' };
    const [sent] = await race(
      round,
      () => bot.calls('POST', '/v1/messages', message),
      () => ada.blocks(bot),
    );
    assert.ok([201, 403].includes(sent.status), sent.body.message);
    const stored = (await ada.reads(bot)).filter(({ content }) => content === 'Sunny');
    assert.equal(stored.length, sent.status === 201 ? 1 : 0);
    assert.equal((await bot.calls('PUT', '/v1/messages/draft', draft(ada.accountId))).status, 403);
  }
});

test('a streamed message that ends while the conversation is deleted goes with it or begins it again, entirely', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ requestsPerMinute: 1_000 });
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await world.person();
    await ada.writes(bot, 'hi');
    const conversationId = privateConversationId(ada.accountId, bot.accountId);
    await bot.calls('PUT', '/v1/messages/draft', draft(ada.accountId));
    const message = { to: ada.accountId, type: 'text', content: 'Sunny' };
    const [sent] = await race(
      round,
      () => bot.calls('POST', '/v1/messages', message),
      () => ada.calls('DELETE', `/api/chat/conversations/${conversationId}`),
    );
    assert.equal(sent.status, 201);
    const { conversations } = (await ada.calls('GET', '/api/chat/conversations')).body.data;
    const listed = (conversations as Conversation[]).map(({ unreadCount }) => unreadCount);
    const shown = (await ada.reads(bot)).map(({ content }) => content);
    assert.ok(
      [
        [[], []],
        [[1], ['Sunny']],
      ].some((outcome) => JSON.stringify(outcome) === JSON.stringify([listed, shown])),
      JSON.stringify([listed, shown]),
    );
  }
});

test('a streamed message that ends while its bot is removed from the group is sent before that, or not at all', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ requestsPerMinute: 1_000 });
  const ada = await world.person();
  for (let round = 0; round < ROUNDS; round++) {
    const groupId = await ada.makesGroup([bot]);
    await bot.calls('PUT', '/v1/messages/draft', draft(groupId));
    const message = { groupId, type: 'text', content: 'Sunny' };
    const removal = { groupId, memberId: bot.accountId };
    const [sent, removed] = await race(
      round,
      () => bot.calls('POST', '/v1/messages/group', message),
      () => ada.calls('POST', '/api/chat/groups/members/remove', removal),
    );
    assert.equal(removed.status, 200);
    assert.ok([201, 403].includes(sent.status), sent.body.message);
    const stored = (await ada.readsIn(groupId)).filter(({ content }) => content === 'Sunny');
    assert.equal(stored.length, sent.status === 201 ? 1 : 0);
    assert.equal((await bot.calls('PUT', '/v1/messages/draft', draft(groupId))).status, 404);
  }
});

test('a message that is edited and deleted at once is deleted', async () => {
  await using world = await createWorld();
  const [ada, bot] = [await world.person(), await world.bot({ requestsPerMinute: 1_000 })];
  await ada.writes(bot, 'hi');
  const conversationId = ada.accountId;
  for (let round = 0; round < ROUNDS; round++) {
    const message = { to: ada.accountId, type: 'text', content: 'Suny' };
    const { msgId } = (await bot.calls('POST', '/v1/messages', message)).body.data;
    const [edited, deleted] = await race(
      round,
      () => bot.calls('PATCH', `/v1/messages/${msgId}`, { conversationId, content: 'Sunny' }),
      () => bot.calls('DELETE', `/v1/messages/${msgId}`, { conversationId }),
    );
    assert.equal(deleted.status, 200);
    assert.ok([200, 404].includes(edited.status), edited.body.message);
    const [last] = await ada.reads(bot);
    assert.deepEqual([last?.msgId, last?.type, last?.content], [msgId, 'deleted', undefined]);
  }
});
