import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChosenEventBody } from '#contract/webhooks/chosen-events.ts';
import { CHOSEN_EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import { type Bot, createWorld, type Person } from '#testing/world.ts';

/** The chosen events in a bot's feed. */
async function heard(bot: Bot): Promise<ChosenEventBody[]> {
  const { body } = await bot.calls('GET', '/v1/events');
  return body.data.events
    .map(({ event }: { event: ChosenEventBody }) => event)
    .filter(({ type }: ChosenEventBody) => CHOSEN_EVENT_TYPES.includes(type));
}

/** The same without what differs in each run. */
async function heardOf(bot: Bot): Promise<object[]> {
  return (await heard(bot)).map(({ type, data: { eventId: _, at: __, ...data } }) => ({ type, ...data }));
}

async function succeeds(
  caller: Person | Bot,
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
) {
  const answer = await caller.calls(method, url, body);
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${answer.body.message}`);
  return answer.body.data;
}

test('an application hears of a private conversation what it chose, and nothing by default', async () => {
  await using world = await createWorld();
  const [bot, silent, ada] = [await world.bot(), await world.bot(), await world.person()];
  await world.switches(bot, ['message.edited', 'message.deleted', 'reaction.changed', 'bot.blocked']);
  for (const one of [bot, silent]) {
    const { msgId, conversationId } = await ada.writes(one, 'hello');
    const at = `/api/chat/conversations/${conversationId}/messages/${msgId}`;
    await succeeds(ada, 'PATCH', at, { text: 'hello, bot' });
    await succeeds(ada, 'PUT', `${at}/reactions`, { emoji: ['👍', '🎉'] });
    await succeeds(ada, 'PUT', `${at}/reactions`, { emoji: ['👍', '🎉'] });
    await succeeds(ada, 'PUT', `${at}/reactions`, { emoji: [] });
    await succeeds(ada, 'DELETE', at);
    for (const isBlocked of [true, true, false, false])
      await (isBlocked ? ada.blocks(one) : ada.unblocks(one));
    const about = { msgId, chatId: ada.accountId };
    const by = ada.accountId;
    assert.deepEqual(
      await heardOf(one),
      one === silent
        ? []
        : [
            { type: 'message.edited', ...about, by },
            { type: 'reaction.changed', ...about, by, emoji: ['👍', '🎉'] },
            { type: 'reaction.changed', ...about, by, emoji: [] },
            { type: 'message.deleted', ...about, from: by },
            { type: 'bot.blocked', userId: by, isBlocked: true },
            { type: 'bot.blocked', userId: by, isBlocked: false },
          ],
    );
  }
  const [first] = await heard(bot);
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  const feed = events.find(({ event }: { event: ChosenEventBody }) => event.type === 'message.edited');
  assert.equal(first?.data.eventId, feed.eventId, 'the body names the event');
  assert.equal(first?.data.at, world.clock.now());
});

test('a bot hears nothing of messages that were written before it joined', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot(), await world.person()];
  await world.switches(bot, ['message.edited', 'message.deleted', 'reaction.changed']);
  const groupId = await ada.makesGroup();
  const earlier = (await ada.writesIn(groupId, 'between us')).msgId;
  world.clock.advance({ seconds: 1 });
  await succeeds(ada, 'POST', '/api/chat/groups/members', { groupId, memberIds: [bot.accountId] });
  const later = (await ada.writesIn(groupId, 'hello')).msgId;
  for (const msgId of [earlier, later]) {
    const at = `/api/chat/conversations/${groupId}/messages/${msgId}`;
    await succeeds(ada, 'PUT', `${at}/reactions`, { emoji: ['👍'] });
    await succeeds(ada, 'PATCH', at, { text: 'hello, all' });
    await succeeds(ada, 'DELETE', at);
  }
  assert.deepEqual(
    (await heard(bot)).map(({ type, data }) => [type, 'msgId' in data && data.msgId]),
    [
      ['reaction.changed', later],
      ['message.edited', later],
      ['message.deleted', later],
    ],
  );
});

test('an event that is no longer chosen is no longer recorded, nor one of an application that is disabled', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot(), await world.person()];
  await world.switches(bot, 'bot.blocked');
  await ada.blocks(bot);
  await world.switches(bot, 'bot.blocked', false);
  await ada.unblocks(bot);
  await world.switches(bot, 'bot.blocked');
  await bot.owner.disables(bot);
  await ada.blocks(bot);
  await bot.owner.reactivates(bot);
  await ada.unblocks(bot);
  assert.deepEqual(await heardOf(bot), [
    { type: 'bot.blocked', userId: ada.accountId, isBlocked: true },
    { type: 'bot.blocked', userId: ada.accountId, isBlocked: false },
  ]);
});

test('bots hear who joins and leaves their groups, and of their own membership, but not what they did themselves', async () => {
  await using world = await createWorld();
  const [host, guest] = [await world.bot(), await world.bot()];
  const [ada, ben] = [await world.person('Ada'), await world.person('Ben')];
  for (const bot of [host, guest])
    await world.switches(bot, ['group.joined', 'group.left', 'member.joined', 'member.left']);
  for (const person of [ada, ben]) await person.writes(host, 'hello');
  const groups = '/api/chat/groups';
  const group = { name: 'Hiking', members: [host.accountId] };
  const { groupId } = await succeeds(ada, 'POST', groups, group);
  await succeeds(ada, 'POST', `${groups}/members`, { groupId, memberIds: [ben.accountId, guest.accountId] });
  await succeeds(ada, 'POST', `${groups}/members`, { groupId, memberIds: [ben.accountId] });
  await succeeds(ben, 'POST', `${groups}/members/remove`, { groupId, memberId: ben.accountId });
  await succeeds(host, 'POST', '/v1/groups/members/remove', { groupId, memberId: host.accountId });
  await succeeds(ada, 'POST', `${groups}/members/remove`, { groupId, memberId: guest.accountId });
  const [by, others] = [ada.accountId, { groupId, by: ada.accountId }];
  assert.deepEqual(await heardOf(host), [
    { type: 'group.joined', groupId, name: 'Hiking', by },
    { type: 'member.joined', ...others, userIds: [ben.accountId, guest.accountId] },
    { type: 'member.left', groupId, userIds: [ben.accountId], by: ben.accountId },
  ]);
  assert.deepEqual(await heardOf(guest), [
    { type: 'group.joined', groupId, name: 'Hiking', by },
    { type: 'member.left', groupId, userIds: [ben.accountId], by: ben.accountId },
    { type: 'member.left', groupId, userIds: [host.accountId], by: host.accountId },
    { type: 'group.left', groupId, by },
  ]);

  const list = await succeeds(ada, 'POST', groups, { ...group, name: 'News', isBroadcast: true });
  await succeeds(ada, 'POST', `${groups}/members`, { groupId: list.groupId, memberIds: [ben.accountId] });
  await succeeds(ada, 'DELETE', `${groups}/delete`, { groupId: list.groupId });
  assert.deepEqual((await heardOf(host)).slice(3), [
    { type: 'group.joined', groupId: list.groupId, name: 'News', by },
    { type: 'group.left', groupId: list.groupId, by },
  ]);
});

test('in a group, bots hear of edits, deletions, reactions and votes of others', async () => {
  await using world = await createWorld();
  const [bot, ada, ben] = [await world.bot(), await world.person('Ada'), await world.person('Ben')];
  await world.switches(bot, ['message.edited', 'message.deleted', 'reaction.changed', 'poll.voted']);
  for (const person of [ada, ben]) await person.writes(bot, 'hello');
  await bot.mayOnly(['messages:send', 'polls:write']);
  const members = [bot.accountId, ben.accountId];
  const { groupId } = await succeeds(ada, 'POST', '/api/chat/groups', { name: 'Hiking', members });
  const { msgId } = await succeeds(bot, 'POST', '/v1/messages/group', {
    groupId,
    type: 'text',
    content: 'Who comes?',
  });
  await succeeds(bot, 'PATCH', `/v1/messages/${msgId}`, {
    conversationId: groupId,
    content: 'Who comes, and when?',
  });
  const at = `/api/chat/conversations/${groupId}/messages/${msgId}`;
  await succeeds(ben, 'PUT', `${at}/reactions`, { emoji: ['👍'] });
  await succeeds(ada, 'DELETE', at);
  const heardBefore = await heardOf(bot);
  assert.deepEqual(heardBefore, [
    { type: 'reaction.changed', msgId, groupId, by: ben.accountId, emoji: ['👍'] },
    { type: 'message.deleted', msgId, groupId, from: bot.accountId },
  ]);

  const polls: { msgId: string; poll: { options: { id: string }[] } }[] = [];
  for (const isAnonymous of [false, true]) {
    const poll = { groupId, question: 'When?', options: ['Saturday', 'Sunday'], isAnonymous };
    const made = await succeeds(bot, 'POST', '/v1/polls', poll);
    polls.push(made);
    const vote = { messageId: made.msgId, groupId, optionId: made.poll.options[1].id };
    await succeeds(ben, 'POST', '/api/chat/polls/vote', vote);
    await succeeds(bot, 'POST', '/v1/polls/vote', vote);
    await succeeds(ben, 'POST', '/api/chat/polls/vote', vote);
  }
  const [named, anonymous] = polls;
  const voted = { type: 'poll.voted', groupId };
  const optionId = named?.poll.options[1]?.id;
  assert.deepEqual((await heardOf(bot)).slice(heardBefore.length), [
    { ...voted, msgId: named?.msgId, by: ben.accountId, optionIds: [optionId] },
    { ...voted, msgId: named?.msgId, by: ben.accountId, optionIds: [] },
    { ...voted, msgId: anonymous?.msgId },
    { ...voted, msgId: anonymous?.msgId },
  ]);

  // A bot that only reads a broadcast list does not learn who votes there.
  const list = await succeeds(ada, 'POST', '/api/chat/groups', { name: 'News', members, isBroadcast: true });
  const asked = { groupId: list.groupId, question: 'When?', options: ['Saturday', 'Sunday'] };
  const { msgId: messageId, poll } = await succeeds(ada, 'POST', '/api/chat/polls', asked);
  await succeeds(ben, 'POST', '/api/chat/polls/vote', { messageId, optionId: poll.options[0].id });
  assert.equal((await heardOf(bot)).length, heardBefore.length + 4);
});

test('a webhook gets a chosen event under its own id, and the log shows it without a message', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot({ webhookUrl: 'https://bot.example/hook' }), await world.person()];
  await world.switches(bot, 'bot.blocked');
  await ada.blocks(bot);
  const [event] = await world.db<{ deliveryId: string; msgId: string; type: string }[]>`
    select delivery_id, msg_id, type from events`;
  assert.equal(event?.type, 'bot.blocked');
  assert.equal(event?.msgId, event?.deliveryId);
  const log = await bot.owner.calls('GET', `/api/console/applications/${bot.appId}/events?type=bot.blocked`);
  const [logged] = log.body.data;
  assert.deepEqual(
    [logged.eventId, logged.type, logged.msgId],
    [event?.deliveryId, 'bot.blocked', undefined],
  );
});
