import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { createMessages } from '#features/messages/index.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { citusServers } from '#testing/citus.ts';
import { fileOf } from '#testing/files.ts';
import { withLostShard } from '#testing/lost-shard.ts';
import { uploadScene } from '#testing/upload-scene.ts';
import { eventually } from '#testing/waits.ts';
import type { Person } from '#testing/world.ts';

const DAYS_KEPT = 7;

async function sceneFor(t: TestContext, config: object = { messageRetentionDays: DAYS_KEPT }) {
  const scene = await uploadScene(t, config);
  const { world } = scene;
  const texts = async (person: Person, { conversationId }: { conversationId: string }) =>
    (await person.readsIn(conversationId)).map(({ content, type }) => content ?? type);
  return { ...scene, texts, expire: () => world.messages.openExpiry().finish() };
}

const count = async (world: Awaited<ReturnType<typeof sceneFor>>['world'], table: string) => {
  const [row] = await world.db.unsafe(`select count(*)::integer as count from ${table}`);
  return row?.['count'];
};

test('an expired message is deleted with everything that belongs to it', async (t) => {
  const { world, uploads, get, texts, expire } = await sceneFor(t);
  const [ada, bob, bot] = [await world.person(), await world.person('Bob'), await world.bot()];
  const file = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
  const old = await ada.writes(bob, 'old');
  const picture = { to: bob.accountId, type: 'image', fileUrl: file.url };
  assert.equal((await ada.calls('POST', '/api/chat/messages', picture)).status, 201);
  await ada.writes(bot, 'to the bot');
  const poll = { receiverId: bob.accountId, question: 'Lunch?', options: ['yes', 'no'] };
  assert.equal((await ada.calls('POST', '/api/chat/polls', poll)).status, 201);
  const at = `/api/chat/conversations/${old.conversationId}/messages/${old.msgId}`;
  await bob.calls('PUT', `${at}/reactions`, { emoji: ['👍'] });
  await bob.calls('PUT', `${at}/pin`);
  world.clock.advance({ days: DAYS_KEPT - 1 });
  const answer = { to: bob.accountId, type: 'text', content: 'new', replyToMsgId: old.msgId };
  await ada.calls('POST', '/api/chat/messages', answer);
  const younger = (await ada.calls('POST', '/api/chat/polls', poll)).body.data.msgId;
  await expire();
  assert.equal((await texts(bob, old)).length, 5, 'nothing is too old yet');

  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(bob.accountId, (event) => received.push(event)));
  world.clock.advance({ days: 1, seconds: 1 });
  await expire();
  assert.deepEqual(await texts(bob, old), ['poll', 'new']);
  assert.deepEqual(
    received.map(({ type }) => type),
    ['conversation.expired'],
  );
  for (const table of ['reactions', 'pinned_messages', 'events', 'event_queue', 'bot_inbox'])
    assert.equal(await count(world, table), 0, table);
  for (const table of ['polls', "unique_names where kind = 'poll'"])
    assert.equal(await count(world, table), 1);
  assert.equal(await count(world, `unique_names where value = '${younger}'`), 1, 'the younger poll stays');
  assert.equal((await get(file.url, { cookie: ada.cookie })).statusCode, 404, 'nor the file');
  const { conversations } = (await ada.calls('GET', '/api/chat/conversations')).body.data;
  assert.equal(conversations.length, 2, 'an empty conversation stays in the list, after the others');
  assert.equal(conversations[0].peer.userId, bob.accountId);
});

test('of a deleted poll nothing stays once its message has expired', async (t) => {
  const { world, expire } = await sceneFor(t);
  const [ada, bob] = [await world.person(), await world.person('Bob')];
  const { conversationId } = await ada.writes(bob, 'hello');
  const poll = { receiverId: bob.accountId, question: 'Lunch?', options: ['yes', 'no'] };
  const { msgId } = (await ada.calls('POST', '/api/chat/polls', poll)).body.data;
  await ada.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`);
  world.clock.advance({ days: DAYS_KEPT, seconds: 1 });
  await expire();
  assert.equal(await count(world, "unique_names where kind = 'poll'"), 0);
});

test('a round that removed messages logs how many, and one that removed none logs nothing', async (t) => {
  const { world } = await sceneFor(t);
  const [ada, bob] = [await world.person(), await world.person('Bob')];
  for (const content of ['one', 'two', 'three']) await ada.writes(bob, content);
  const logged: { msg: string; messages: number }[] = [];
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const { api: messages } = createMessages({ ...world, log, hooks: [] });
  await messages.openExpiry().finish();
  assert.equal(logged.length, 0);
  world.clock.advance({ days: DAYS_KEPT, seconds: 1 });
  await messages.openExpiry().finish();
  assert.deepEqual(
    logged.map((line) => [line.msg, line.messages]),
    [['removed expired messages', 3]],
  );
});

test('the people in a conversation can shorten its retention, which a notice announces', async (t) => {
  const { world, texts, expire } = await sceneFor(t, {});
  const [ada, bob] = [await world.person(), await world.person('Bob')];
  const first = await ada.writes(bob, 'first');
  const keeps = (person: Person, conversationId: string, lifetimeDays?: number) =>
    person.calls('PUT', `/api/chat/conversations/${conversationId}/retention`, { lifetimeDays });
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => received.push(event)));
  assert.equal((await keeps(bob, first.conversationId, 2)).status, 400, 'one of four times');
  const { status, body } = await keeps(bob, first.conversationId, 1);
  assert.deepEqual([status, body.data.lifetimeDays], [200, 1]);
  assert.deepEqual(await texts(ada, first), ['notice', 'first']);
  await eventually(() => received.length === 2);
  assert.deepEqual(received.map(({ type }) => type).sort(), ['conversation.retention', 'message']);
  world.clock.advance({ days: 1, seconds: 1 });
  await ada.writes(bob, 'second');
  await expire();
  assert.deepEqual(await texts(ada, first), ['second']);
  await keeps(ada, first.conversationId);
  world.clock.advance({ days: 12 });
  await expire();
  assert.deepEqual(await texts(ada, first), ['notice', 'second']);

  const groupId = await ada.makesGroup([bob]);
  assert.equal((await keeps(bob, groupId, 7)).status, 403);
  assert.equal((await keeps(ada, groupId, 7)).status, 200);
  const eve = await world.person('Eve');
  assert.equal((await keeps(eve, groupId, 7)).status, 404);

  await ada.blocks(bob);
  const refused = [bob, ada].map(async (person) => (await keeps(person, first.conversationId, 1)).reason);
  assert.deepEqual(await Promise.all(refused), ['recipient.not-taking', 'recipient.blocked-by-you']);
  assert.deepEqual(await texts(ada, first), ['notice', 'second']);
});

test('a period that is withdrawn or lengthened during a round holds for the rest of it', async (t) => {
  const { world, texts } = await sceneFor(t, {});
  const ada = await world.person('Ada');
  const others = [await world.person('Bob'), await world.person('Carol'), await world.person('Dan')];
  const firsts = await Promise.all(others.map((other) => ada.writes(other, 'first')));
  const keeps = (conversationId: string, lifetimeDays?: number) =>
    ada.calls('PUT', `/api/chat/conversations/${conversationId}/retention`, { lifetimeDays });
  for (const { conversationId } of firsts) await keeps(conversationId, 1);
  world.clock.advance({ days: 1, seconds: 1 });
  const expiry = world.messages.openExpiry();
  const left = async () => {
    const found = await Promise.all(firsts.map(async (one) => ({ one, shown: await texts(ada, one) })));
    return found.flatMap(({ one, shown }) => (shown.includes('first') ? one.conversationId : []));
  };
  await expiry.step();
  const [withdrawn = '', lengthened = '', ...more] = await left();
  assert.deepEqual(more, [], 'the round is in progress');
  await keeps(withdrawn);
  await keeps(lengthened, 7);
  while ((await expiry.step()) < 60_000);
  assert.deepEqual(await left(), [withdrawn, lengthened]);
});

test('a held conversation keeps everything, including what people delete, until it is released', async (t) => {
  const { world, uploads, texts, expire, mediaDir } = await sceneFor(t);
  const [ada, bob] = [await world.person(), await world.person('Bob')];
  const file = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
  const text = await ada.writes(bob, 'said in haste');
  const { conversationId } = text;
  const picture = { to: bob.accountId, type: 'image', fileUrl: file.url };
  const { msgId } = (await ada.calls('POST', '/api/chat/messages', picture)).body.data;
  const hold = (id: string) => world.messages.holdConversation(id, async () => {});
  await assert.rejects(hold(world.newId('grp')), { status: 404 });
  await hold(conversationId);
  await assert.rejects(hold(conversationId), { status: 400 });
  const groupId = await ada.makesGroup();
  await hold(groupId);

  const at = `/api/chat/conversations/${conversationId}/messages`;
  await ada.calls('PATCH', `${at}/${text.msgId}`, { text: 'said with care' });
  await ada.calls('DELETE', `${at}/${text.msgId}`);
  const fetches = async () => (await world.app.inject(file.url)).statusCode;
  assert.equal(await fetches(), 200);
  await ada.calls('DELETE', `${at}/${msgId}`);
  assert.equal(await fetches(), 404, 'the hold keeps the file, and serves it to nobody');
  const again = await ada.calls('POST', '/api/chat/messages', picture);
  assert.deepEqual([again.status, again.body.message], [400, 'fileUrl is not an upload of this server']);
  assert.deepEqual(await texts(bob, text), ['deleted', 'deleted'], 'for people they are deleted');
  assert.equal(await count(world, 'held_messages'), 3);
  world.clock.advance({ days: DAYS_KEPT + 1 });
  await expire();
  await world.media.removeUnused({ limit: 10 });
  assert.equal(await count(world, 'messages'), 2);
  assert.equal(await count(world, 'media'), 1, 'the file as well');

  await world.messages.releaseConversation(conversationId, async () => {});
  await expire();
  await world.media.removeUnused({ limit: 10 });
  assert.deepEqual([await count(world, 'messages'), await count(world, 'held_messages')], [0, 0]);
  assert.equal(await count(world, 'media'), 0);
  assert.ok(mediaDir);
});

test('a deleted group is removed with all that was written in it, once its events are gone', async (t) => {
  const { world, uploads, get, expire } = await sceneFor(t, {});
  const [ada, bot] = [await world.person(), await world.bot()];
  const groupOf = (name: string) => ada.makesGroup([bot], { name, description: 'For all' });
  const [gone, held, other] = [await groupOf('Tea'), await groupOf('Held'), await groupOf('Coffee')];
  const file = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
  for (const groupId of [gone, held, other])
    for (const content of [
      { type: 'image', fileUrl: file.url },
      { type: 'text', content: 'hello' },
    ])
      await ada.writesIn(groupId, content);
  const ask = { groupId: gone, question: 'Lunch?', options: ['yes', 'no'] };
  assert.equal((await ada.calls('POST', '/api/chat/polls', ask)).status, 201);
  await ada.calls('PUT', `/api/chat/conversations/${gone}/retention`, { lifetimeDays: 90 });
  for (const groupId of [gone, held])
    assert.equal((await ada.calls('DELETE', '/api/chat/groups/delete', { groupId })).status, 200);
  await world.messages.holdConversation(held, async () => {});
  const left = async (groupId: string) => {
    const [messages] =
      await world.db`select count(*) as count from messages where conversation_id = ${groupId}`;
    const [group] = await world.db`select name, description from groups where group_id = ${groupId}`;
    return [messages?.['count'], group?.['name'], group?.['description']];
  };
  const before = [await left(gone), await left(held), await left(other)];
  world.clock.advance({ days: world.config.eventRetentionDays + 1 });
  await expire();
  assert.deepEqual(
    [await left(gone), await left(held), await left(other)],
    before,
    'its events may be in use',
  );
  world.clock.advance({ seconds: 1 });
  await expire();
  assert.deepEqual(
    [await left(gone), await left(held), await left(other)],
    [[0, '', ''], ...before.slice(1)],
  );
  assert.deepEqual([await count(world, 'polls'), await count(world, 'conversation_retention')], [0, 1]);
  assert.equal((await get(file.url)).statusCode, 200, 'the other groups still have it');
  await world.messages.releaseConversation(held, async () => {});
  await expire();
  assert.deepEqual(await left(held), [0, '', '']);
  assert.equal((await ada.calls('GET', `/api/chat/groups/members?groupId=${gone}`)).status, 404);
});

test('a private conversation is removed once nobody can read it any more', async (t) => {
  const { world, expire } = await sceneFor(t, {});
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const [cleo, dora] = [await world.person('Cleo'), await world.person('Dora')];
  const [own, other] = [await world.bot({ owner: ada }), await world.bot({ owner: cleo })];
  const [toBob, toCleo, toOwn, toOther] = [
    await ada.writes(bob, 'hello'),
    await ada.writes(cleo, 'hello'),
    await ada.writes(own, 'hello'),
    await ada.writes(other, 'hello'),
  ];
  const toDora = await bob.writes(dora, 'hello');
  const deletes = async (person: Person) => {
    await person.deletesAccount();
  };
  const left = async () => {
    const rows = await world.db<{ msgId: string }[]>`select msg_id from messages order by msg_id`;
    return rows.map(({ msgId }) => msgId);
  };
  await world.messages.holdConversation(toDora.conversationId, async () => {});
  for (const person of [ada, bob, dora]) await deletes(person);
  await expire();
  assert.deepEqual(
    await left(),
    [toBob, toCleo, toOwn, toOther, toDora].map(({ msgId }) => msgId),
  );
  world.clock.advance({ days: world.config.eventRetentionDays + 1, seconds: 1 });
  await expire();
  assert.deepEqual(await left(), [toCleo.msgId, toDora.msgId], 'somebody still has it, or it is held');
  assert.equal(await count(world, 'conversation_retention'), 1);
  await world.messages.releaseConversation(toDora.conversationId, async () => {});
  await expire();
  assert.deepEqual([await left(), await count(world, 'conversation_retention')], [[toCleo.msgId], 0]);
});

test('disk space is reused: new messages replace deleted ones, and the file shrinks once its end is free', async (t) => {
  const { world, expire } = await sceneFor(t);
  const { db, clock } = world;
  const { conversationId } = await (await world.person()).writes(await world.person('Bob'), 'hello');
  const write = () => db`
    insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
    select bucket, conversation_id, ${firstIdAt('msg', clock.now())} || lpad(n::text, 14, '0'), sender_id, type,
      decode(repeat(md5(n::text), 6), 'hex'), body_key_id, ${clock.now()}
    from (select * from messages where conversation_id = ${conversationId} order by msg_id limit 1) as one
      cross join generate_series(1, 2000) as n`;
  const sizeOf = citusServers() ? 'citus_relation_size' : 'pg_relation_size';
  const pages = async () => {
    await db`vacuum messages`;
    const [row] = await db.unsafe(
      `select (${sizeOf}('messages') / current_setting('block_size')::integer)::integer as pages`,
    );
    return row?.['pages'];
  };
  await write();
  clock.advance({ days: DAYS_KEPT - 1 });
  await write();
  const full = await pages();
  clock.advance({ days: 2 });
  await expire();
  assert.equal(await count(world, 'messages'), 2_000);
  assert.equal(await pages(), full, 'what is still kept lies at the end of the file');
  await write();
  assert.equal(await pages(), full);
  clock.advance({ days: DAYS_KEPT - 1 });
  await expire();
  assert.equal(await count(world, 'messages'), 2_000);
  assert.ok((await pages()) < full * 0.6, `${await pages()} of ${full} pages`);
});

test('on Citus an unreachable shard does not delay expiry in the others', async (t) => {
  const { world, texts } = await sceneFor(t, {});
  const [ada, bob] = [await world.person(), await world.person('Bob')];
  const old = await ada.writes(bob, 'old');
  const at = `/api/chat/conversations/${old.conversationId}/retention`;
  await ada.calls('PUT', at, { lifetimeDays: 1 });
  world.clock.advance({ days: 1, seconds: 1 });
  const deps = { ...world, shards: withLostShard(world.shards), hooks: [] };
  const { api: messages } = createMessages(deps);
  await assert.rejects(messages.openExpiry().finish(), ({ errors }: AggregateError) => errors.length === 3);
  assert.deepEqual(await texts(bob, old), []);
});
