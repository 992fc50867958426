import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openBodyIfReadable } from '#features/webhooks/record-events.ts';
import { denied, invalid, missing, success } from '#testing/answers.ts';
import { type GroupScene, groupScene, NO_GROUP, OUTSIDER } from '#testing/group-scene.ts';
import type { Bot, Person } from '#testing/world.ts';
import { createGroupSender } from './group.ts';

const UNKNOWN = 'usr_00000000000000000000000a';
const UNKNOWN_GROUP = 'grp_00000000000000000000000a';
const NO_QUOTE = missing('no message of this conversation has the id in `replyToMsgId`');
const NO_MENTION = invalid('mentionedUserIds includes somebody who is not a member of this group');
const HOOK = 'https://hooks.example.com/parley';
const CDN = 'https://cdn.example.com';
const hello = { type: 'text', content: 'hello' };

/** A person's group with the bot and other people in it. */
async function scene(t: TestContext): Promise<GroupScene & { groupId: string; ada: Person; bob: Person }> {
  const base = await groupScene(t, { people: 2 });
  const [ada, bob] = base.people as [Person, Person];
  return { ...base, ada, bob, groupId: await base.groupOf(ada, [bob, base.bot]) };
}

/** The events of an application as its receiver would read them. */
async function eventsOf({ world }: GroupScene, bot: Bot): Promise<unknown[]> {
  const rows = await world.db<Parameters<typeof openBodyIfReadable>[1][]>`
    select delivery_id, body, body_key_id from events where app_id = ${bot.appId} order by delivery_id`;
  return rows.map((row) => JSON.parse(String(openBodyIfReadable(world.keyring, row))));
}

test('whoever writes into a group has read everything in it, also when many write at once', async (t) => {
  const { world, ada, bob, call, groupId } = await scene(t);
  const mentionedUserIds = [ada.accountId, bob.accountId];
  await call('POST', '/v1/messages/group', { groupId, ...hello, mentionedUserIds });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? ada : bob).calls('POST', '/api/chat/groups/messages', { groupId, ...hello }),
    ),
  );
  const latestOf = (person: Person) => {
    const own = answers.map(({ body }) => body.data).filter(({ from }) => from === person.accountId);
    return own
      .map(({ msgId }) => msgId)
      .sort()
      .at(-1);
  };
  const markers = await world.db<{ accountId: string; readMsgId: string }[]>`
    select account_id, read_msg_id from account_conversations where conversation_id = ${groupId}`;
  const markerOf = new Map(markers.map(({ accountId, readMsgId }) => [accountId, readMsgId]));
  for (const person of [ada, bob]) assert.equal(markerOf.get(person.accountId), latestOf(person));
  assert.equal((await world.db`select from mentions`).length, 0);
  await call('POST', '/v1/messages/group', { groupId, ...hello, mentionedUserIds });
  const unread = await world.db<{ accountId: string }[]>`select account_id from mentions`;
  assert.deepEqual(unread.map(({ accountId }) => accountId).sort(), mentionedUserIds.toSorted());
});

test('a bot writes into a group: 201 with the msgId, and every member reads it with its mentions', async (t) => {
  const { world, bot, ada, bob, call, groupId } = await scene(t);
  const mentionedUserIds = [bob.accountId, ada.accountId, bob.accountId];
  const answer = await call('POST', '/v1/messages/group', { groupId, ...hello, mentionedUserIds });
  const { msgId } = answer.body.data;
  assert.match(msgId, /^msg_[0-9a-z]{24}$/);
  const envelope = success('message sent', { msgId }, world.clock.now());
  assert.deepEqual(answer, { status: 201, body: envelope });
  const message = {
    msgId,
    conversationId: groupId,
    from: bot.accountId,
    ...hello,
    mentionedUserIds: [bob.accountId, ada.accountId],
    sentAt: world.clock.now(),
  };
  for (const person of [ada, bob]) assert.deepEqual(await person.readsIn(groupId), [message]);
  const [listed] = (await ada.calls('GET', '/api/chat/conversations')).body.data.conversations;
  assert.deepEqual(listed.lastMessage, message);
  assert.equal(listed.group.name, 'Team');
});

test('one row however large the group; one event for each member bot but the sender, with its own isMentioned', async (t) => {
  const all = await scene(t);
  const { world, ada, groupOf, call, bot } = all;
  const subscribers = [];
  for (let i = 0; i < 3; i++) subscribers.push(await world.bot({ webhookUrl: HOOK }));
  const [mentioned, other, outside] = subscribers as [Bot, Bot, Bot];
  const deaf = await world.bot();
  const disabled = await world.bot({ webhookUrl: HOOK });
  await disabled.owner.disables(disabled);
  await world.db`update applications set webhook_url = ${HOOK} where app_id = ${bot.appId}`;
  const crowd = [];
  for (let i = 0; i < 60; i++) crowd.push(await world.person());
  const groupId = await groupOf(ada, [...crowd, bot, mentioned, other, deaf, disabled]);
  const mentionedUserIds = [mentioned.accountId];
  await call('POST', '/v1/messages/group', { groupId, ...hello, mentionedUserIds });
  assert.equal((await world.db`select 1 from messages where conversation_id = ${groupId}`).length, 1);
  assert.equal((await world.db`select 1 from event_queue where state = 'pending'`).length, 2);
  const isMentioned = async (subscriber: Bot) =>
    (await eventsOf(all, subscriber)).map((event) => {
      const { data } = event as { data: Record<string, unknown> };
      return [data['mentionedUserIds'], data['isMentioned']];
    });
  assert.deepEqual(await isMentioned(mentioned), [[mentionedUserIds, true]]);
  assert.deepEqual(await isMentioned(other), [[mentionedUserIds, false]]);
  assert.deepEqual(await isMentioned(outside), []);
});

test('mentions: at most 50 raw entries, userIds, members only; the sender and null are no fault', async (t) => {
  const { world, bot, ada, groupId, call } = await scene(t);
  const send = (mentionedUserIds: unknown) =>
    call('POST', '/v1/messages/group', { groupId, ...hello, mentionedUserIds });
  for (const accepted of [null, [], [bot.accountId], Array(50).fill(ada.accountId)]) {
    assert.equal((await send(accepted)).status, 201);
  }
  const tooMany = invalid('mentionedUserIds must have at most 50 entries');
  assert.deepEqual(await send(Array(51).fill(ada.accountId)), tooMany);
  assert.deepEqual(await send(ada.accountId), invalid('mentionedUserIds must be of type array'));
  assert.deepEqual(
    await send(['a b']),
    invalid('mentionedUserIds.0 must be an id: 1 to 128 letters, digits, _ and -'),
  );
  const stranger = await world.person();
  for (const nobody of [stranger.accountId, UNKNOWN, 'nonsense']) {
    assert.deepEqual(await send([ada.accountId, nobody]), NO_MENTION);
  }
});

test('the id of a person is 404 and points to the path for people', async (t) => {
  const { ada, call } = await scene(t);
  assert.deepEqual(
    await call('POST', '/v1/messages/group', { groupId: ada.accountId, ...hello }),
    missing(
      '`groupId` is the id of a person or bot, and no group: messages to them go to POST /v1/messages, as `to`',
    ),
  );
});

test('order of checks: 400 body, 404 group, 403 right, 404 quoted message, 400 mention', async (t) => {
  const { bot, ada, call, groupOf, groupId } = await scene(t);
  const bad = { replyToMsgId: 'msg_00000000000000000000000a', mentionedUserIds: [UNKNOWN] };
  const send = (id: string, body: object = {}) =>
    call('POST', '/v1/messages/group', { groupId: id, ...hello, ...bad, ...body });
  const announcements = await groupOf(ada, [bot], { sendMessages: false });
  const list = await groupOf(ada, [bot], { isBroadcast: true });
  assert.equal((await send(UNKNOWN_GROUP, { content: '' })).status, 400);
  assert.deepEqual(await send(UNKNOWN_GROUP), NO_GROUP);
  assert.deepEqual(await send('nonsense'), NO_GROUP);
  assert.deepEqual(await send(await groupOf(ada)), OUTSIDER);
  assert.deepEqual(await send(announcements), denied('only administrators can write in this group'));
  assert.deepEqual(await send(list), denied('only the creator can write in a broadcast list'));
  assert.deepEqual(await send(groupId), NO_QUOTE);
  assert.deepEqual(await send(groupId, { replyToMsgId: null }), NO_MENTION);
  // A message of another group cannot be quoted here.
  const elsewhere = await send(await groupOf(ada, [bot]), { replyToMsgId: null, mentionedUserIds: [] });
  assert.deepEqual(await send(groupId, { replyToMsgId: elsewhere.body.data.msgId }), NO_QUOTE);
  assert.deepEqual(await call('POST', '/v1/messages/group', hello), invalid('groupId is required'));
});

test('broadcast: the same as a group message, except that type defaults to text', async (t) => {
  const { ada, call, group, groupId } = await scene(t);
  const list = await group([ada], { isBroadcast: true });
  const broadcast = (body: object) => call('POST', '/v1/groups/broadcast', body);
  for (const type of [{}, { type: null }, { type: 'text' }]) {
    assert.equal((await broadcast({ groupId: list, content: 'news', ...type })).status, 201);
  }
  assert.equal((await broadcast({ groupId, content: 'news' })).status, 201);
  const [message] = await ada.readsIn(list);
  assert.equal(message?.type, 'text');
  assert.equal((await broadcast({ groupId: list, type: 'gif', fileUrl: `${CDN}/a` })).status, 201);
  assert.deepEqual(await broadcast({ groupId: list }), invalid('content is required'));
  assert.deepEqual(
    await broadcast({ groupId: list, content: 'x', caption: 'x' }),
    invalid('caption is not used by this type'),
  );
  assert.equal((await broadcast([])).status, 400);
  const withoutType = await call('POST', '/v1/messages/group', { groupId, content: 'x' });
  assert.deepEqual(withoutType, invalid('type is required'));
});

test('a person writes in a group in the chat; member bots receive it; former members neither write nor read', async (t) => {
  const all = await scene(t);
  const { world, bot, ada, bob, groupId } = all;
  await world.db`update applications set webhook_url = ${HOOK} where app_id = ${bot.appId}`;
  const body = { groupId, ...hello, mentionedUserIds: [bot.accountId] };
  const written = await bob.calls('POST', '/api/chat/groups/messages', body);
  const { msgId } = written.body.data;
  const message = {
    msgId,
    conversationId: groupId,
    from: bob.accountId,
    ...hello,
    mentionedUserIds: [bot.accountId],
    sentAt: world.clock.now(),
  };
  assert.deepEqual(written.body.data, message);
  const { content: textMsg, conversationId: _, ...shared } = message;
  const data = { ...shared, textMsg, groupId, isMentioned: true };
  assert.deepEqual((await eventsOf(all, bot)).slice(-1), [{ type: 'group_message.received', data }]);
  await bob.removes(groupId);
  assert.equal((await bob.calls('POST', '/api/chat/groups/messages', { groupId, ...hello })).status, 403);
  assert.equal((await bob.calls('GET', `/api/chat/conversations/${groupId}/messages`)).status, 404);
  const [notice, ...messages] = await ada.readsIn(groupId);
  assert.deepEqual([notice?.notice, messages], [{ kind: 'left' }, [message]]);
});

test('sends of one batch each get their own answer', async (t) => {
  const { world, ada, bob, bot, groupOf, call } = await scene(t);
  const subscriber = await world.bot({ webhookUrl: HOOK });
  const groups = [await groupOf(ada, [bot, subscriber]), await groupOf(bob, [bot])] as [string, string];
  const kinds: [object, number][] = [
    [{ groupId: groups[0] }, 201],
    [{ groupId: groups[1], mentionedUserIds: [bob.accountId] }, 201],
    [{ groupId: groups[0], mentionedUserIds: [bob.accountId] }, 400],
    [{ groupId: groups[1], replyToMsgId: 'msg_00000000000000000000000a' }, 404],
    [{ groupId: UNKNOWN_GROUP }, 404],
  ];
  const sends = Array.from({ length: 100 }, (_, i) => kinds[i % 5] as [object, number]);
  const answers = await Promise.all(
    sends.map(([body]) => call('POST', '/v1/messages/group', { ...hello, ...body })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    sends.map(([, status]) => status),
  );
  for (const groupId of groups) {
    const rows = await world.db`select 1 from messages where conversation_id = ${groupId}`;
    assert.equal(rows.length, 20);
  }
  assert.equal((await world.db`select 1 from event_queue where state = 'pending'`).length, 20);
});

test('100 parallel sends with one Idempotency-Key: one message, one event, one answer', async (t) => {
  const { world, bot, ada, groupOf } = await scene(t);
  const subscriber = await world.bot({ webhookUrl: HOOK });
  const groupId = await groupOf(ada, [bot, subscriber]);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      bot.calls('POST', '/v1/messages/group', { groupId, ...hello }, { 'idempotency-key': 'k' }),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal((await world.db`select 1 from messages where conversation_id = ${groupId}`).length, 1);
  assert.equal((await world.db`select 1 from event_queue where state = 'pending'`).length, 1);
});

test('the database contains no plain text of a group message and no mentions', async (t) => {
  const { world, ada, bot, groupOf, call } = await scene(t);
  const subscriber = await world.bot({ webhookUrl: HOOK });
  const groupId = await groupOf(ada, [bot, subscriber]);
  const mentionedUserIds = [ada.accountId];
  const body = { groupId, type: 'text', content: 'canary-4711', mentionedUserIds };
  assert.equal((await call('POST', '/v1/messages/group', body)).status, 201);
  const rows = await world.db`
    select encode(body, 'escape') as body from messages where conversation_id = ${groupId}
    union all select encode(body, 'escape') from events where app_id = ${subscriber.appId}`;
  assert.equal(rows.length, 2);
  for (const row of rows) assert.doesNotMatch(String(row['body']), new RegExp(`canary|${ada.accountId}`));
});

test('a cached key that was revoked or lost its scope writes nothing, and other sends of the batch are not affected', async (t) => {
  const { world, ada, bot, groupOf, call } = await scene(t);
  const subscriber = await world.bot({ webhookUrl: HOOK });
  const [revoked, narrowed] = [await world.bot(), await world.bot()];
  const groupId = await groupOf(ada, [bot, revoked, narrowed, subscriber]);
  const send = (sender: Bot) => sender.calls('POST', '/v1/messages/group', { groupId, ...hello });
  for (const sender of [bot, revoked, narrowed]) assert.equal((await send(sender)).status, 201);
  await world.db`delete from events where app_id = ${subscriber.appId}`;
  const { key } = revoked;
  await revoked.regeneratesKey();
  revoked.key = key;
  await narrowed.mayOnly(['groups:manage']);
  const answers = await Promise.all([bot, revoked, narrowed, bot].map(send));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 401, 403, 201],
  );
  assert.equal((await world.db`select 1 from messages where conversation_id = ${groupId}`).length, 5);
  assert.equal((await world.db`select 1 from events where app_id = ${subscriber.appId}`).length, 2);
  assert.deepEqual(await call('POST', '/v1/messages/group', { groupId: UNKNOWN_GROUP, ...hello }), NO_GROUP);
});

test('a message that is stored is answered as sent, even if the group cannot be marked as read', async (t) => {
  const { world, ada, bob, groupId } = await scene(t);
  const content = { type: 'text' as const, body: { content: 'hello' }, replyToMsgId: undefined };
  const reserved = { id: world.newId('msg'), isResumed: false };
  const begin: typeof world.db.begin = async (run) => {
    const stored = await world.db`select 1 from messages where msg_id = ${reserved.id}`;
    if (stored.length > 0) throw new Error('the connection is lost');
    return world.db.begin(run);
  };
  const db = new Proxy(world.db, {
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
  const send = createGroupSender({ ...world, db });
  const written = await send({ kind: 'user', accountId: ada.accountId }, { to: groupId, content }, reserved);
  assert.equal(written?.msgId, reserved.id);
  assert.deepEqual(
    (await bob.readsIn(groupId)).map(({ msgId }: { msgId: string }) => msgId).includes(reserved.id),
    true,
  );
});
