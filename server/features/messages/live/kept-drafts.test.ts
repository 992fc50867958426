import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { privateConversationId } from '#platform/ids.ts';
import { Live } from '#platform/live.ts';
import { type Bot, createWorldFor, type Person } from '#testing/world.ts';
import { composeFeatures, createHttp } from '../../../app.ts';
import { findBotConversation } from '../access/bot-conversation.ts';
import { openLimits } from '../deps.ts';
import { createSenders } from '../senders.ts';
import { KeptDrafts } from './kept-drafts.ts';

async function createScene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  const { msgId } = await ada.writes(bot, 'hi');
  return {
    ...{ world, ada, bot, msgId },
    async shows(content: string, more: object = {}) {
      const draft = { conversationId: ada.accountId, content, keepIfLost: true, ...more };
      const { status, body } = await bot.calls('PUT', '/v1/messages/draft', draft);
      assert.deepEqual([status, body.data], [200, { shown: true }], body.message);
    },
    async silenceOf(seconds: number) {
      world.clock.advance({ seconds });
      await world.messages.sendLostDrafts();
    },
    /** What the bot wrote, oldest first. */
    texts: (person: Person = ada) => textsOf(person, bot),
  };
}

async function textsOf(person: Person, bot: Bot): Promise<unknown[]> {
  const messages = await person.reads(bot);
  return messages
    .filter(({ from }) => from === bot.accountId)
    .map(({ content }) => content)
    .toReversed();
}

test('what a bot that fell silent has shown becomes a message, once, after 30 seconds', async (t) => {
  const { ada, bot, msgId, world, shows, silenceOf, texts } = await createScene(t);
  await shows('Tomorrow', { replyToMsgId: msgId });
  await silenceOf(29);
  await shows('Tomorrow will be **sun', { replyToMsgId: msgId });
  await silenceOf(29);
  assert.deepEqual(await texts(), []);
  await silenceOf(1);
  await silenceOf(60);
  const [message, ...earlier] = await ada.reads(bot);
  assert.deepEqual(
    [message?.type, message?.content, message?.from, message?.quote?.msgId, earlier.length],
    ['text', 'Tomorrow will be **sun', bot.accountId, msgId, 1],
  );
  assert.equal(message?.sentAt, world.clock.now() - 60_000);
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  const { unreadCount } = (await ada.calls('GET', `/api/chat/conversations/${conversationId}`)).body.data;
  assert.equal(unreadCount, 1);
});

test('nothing is kept unless the latest call asked for it, nor once the message was sent', async (t) => {
  const { ada, bot, msgId, shows, silenceOf, texts } = await createScene(t);
  await shows('one', { keepIfLost: false });
  await silenceOf(30);
  await shows('two');
  await shows('two, three', { keepIfLost: null });
  await silenceOf(30);
  await shows('four', { replyToMsgId: msgId });
  await shows('another message');
  const message = { to: ada.accountId, type: 'text', content: 'four, five', replyToMsgId: msgId };
  assert.equal((await bot.calls('POST', '/v1/messages', message)).status, 201);
  await silenceOf(30);
  assert.deepEqual(await texts(), ['four, five', 'another message']);
  const wrong = await bot.calls('PUT', '/v1/messages/draft', {
    conversationId: ada.accountId,
    content: 'x',
    keepIfLost: 'yes',
  });
  assert.deepEqual([wrong.status, wrong.body.message.includes('keepIfLost')], [400, true]);
});

test('the rights are judged again when it is kept', async (t) => {
  const { world, ada, bot, shows, silenceOf, texts } = await createScene(t);
  const bob = await world.person('Bob');
  const groupId = await bob.makesGroup([bot]);
  const inGroup = { conversationId: groupId };
  await shows('kept', inGroup);
  await silenceOf(30);
  await shows('left', inGroup);
  await bob.removes(groupId, bot);
  await silenceOf(30);
  const ofBot = (await bob.readsIn(groupId)).filter(
    ({ from, content }) => from === bot.accountId && content !== undefined,
  );
  assert.deepEqual(
    ofBot.map(({ content }) => content),
    ['kept'],
  );

  const silentAfter = async (change: () => Promise<unknown>, undo: () => Promise<unknown>) => {
    await shows(String(change));
    await change();
    await silenceOf(30);
    await undo();
    world.clock.advance({ minutes: 1 });
    await world.messages.sendLostDrafts();
  };
  await silentAfter(
    () => ada.calls('POST', '/api/chat/blocks', { userId: bot.accountId }),
    () => ada.calls('DELETE', '/api/chat/blocks', { userId: bot.accountId }),
  );
  await silentAfter(
    () => bot.mayOnly([]),
    () => bot.mayOnly(['messages:send', 'groups:manage']),
  );
  await silentAfter(
    () => world.suspends(bot),
    () => world.unsuspends(bot),
  );
  await shows('until the key ended');
  await bot.owner.calls('POST', `/api/console/applications/${bot.appId}/api-key`);
  await silenceOf(30);
  assert.deepEqual(await texts(), []);
});

test('the person, the group or the application goes meanwhile: every later call says so, and nothing is kept', async (t) => {
  const { world, ada, bot, shows, silenceOf } = await createScene(t);
  const bob = await world.person('Bob');
  await bob.writes(bot, 'hi');
  const asked = async (method: 'PUT' | 'POST', path: string, body: object) => {
    const answer = await bot.calls(method, path, body);
    return `${answer.status} ${answer.body.message}`;
  };
  const later = async (id: string) => [
    await asked('PUT', '/v1/messages/draft', { conversationId: id, content: 'on and on' }),
    await (id.startsWith('grp_')
      ? asked('POST', '/v1/messages/group', { groupId: id, type: 'text', content: 'The end' })
      : asked('POST', '/v1/messages', { to: id, type: 'text', content: 'The end' })),
  ];
  const countAll = async () => (await world.db`select from messages where type = 'text'`).length;
  const before = await countAll();

  await shows('to Ada');
  await ada.deletesAccount();
  const nobody = '404 no account has the id in `to`';
  assert.deepEqual(await later(ada.accountId), ['404 there is no such conversation', nobody]);
  await silenceOf(30);

  const groupId = await bob.makesGroup([bot]);
  await shows('to the group', { conversationId: groupId });
  assert.equal((await bob.calls('DELETE', '/api/chat/groups/delete', { groupId })).status, 200);
  const noGroup = '404 no group has the id in `groupId`';
  assert.deepEqual(await later(groupId), ['404 there is no such conversation', noGroup]);
  await silenceOf(30);

  const other = await bob.makesGroup([bot]);
  const ends = async (change: () => Promise<void>, expected: string) => {
    for (const conversationId of [bob.accountId, other]) await shows('to the end', { conversationId });
    await change();
    for (const id of [bob.accountId, other]) assert.deepEqual(await later(id), [expected, expected]);
    await silenceOf(30);
  };
  await ends(() => bot.owner.disables(bot), '403 the application is disabled');
  await bot.owner.reactivates(bot);
  await ends(() => bot.deleted(), '401 the token is invalid, revoked or expired');
  assert.equal(await countAll(), before);
});

test('it counts towards the quota of sends', async (t) => {
  const { bot, msgId, shows, silenceOf, texts, world } = await createScene(t);
  await world.db`update applications set requests_per_minute = 1 where app_id = ${bot.appId}`;
  await shows('first', { replyToMsgId: msgId });
  await shows('second');
  await silenceOf(30);
  assert.deepEqual(await texts(), ['first']);
});

test('the process that got the latest call keeps it, and none if another one sent the message', async (t) => {
  const { world, ada, bot, shows, silenceOf, texts } = await createScene(t);
  const otherProcess = async (live: Live) => {
    const platform = { ...world, live };
    const features = composeFeatures(platform);
    const app = await createHttp(platform, features);
    t.after(() => app.close());
    const calls = (method: 'PUT' | 'POST', url: string, payload: object) =>
      app.inject({ method, url, payload, headers: { authorization: `Bearer ${bot.key}` } });
    return { features, calls };
  };
  const draft = { conversationId: ada.accountId, keepIfLost: true };
  const joined = await otherProcess(world.live);
  await shows('one');
  world.clock.advance({ seconds: 20 });
  await joined.calls('PUT', '/v1/messages/draft', { ...draft, content: 'one, two' });
  await silenceOf(10);
  assert.deepEqual(await texts(), [], 'the bot still speaks, to the other process');
  world.clock.advance({ seconds: 20 });
  await Promise.all([joined.features.messages.sendLostDrafts(), silenceOf(0)]);
  assert.deepEqual(await texts(), ['one, two']);

  // Its events do not arrive here.
  const apart = await otherProcess(new Live());
  await shows('three');
  const message = { to: ada.accountId, type: 'text', content: 'three, four' };
  assert.equal((await apart.calls('POST', '/v1/messages', message)).statusCode, 201);
  await silenceOf(30);
  assert.deepEqual(await texts(), ['one, two', 'three, four']);
});

/** Drafts outside of the server, with a draft of the bot's that is held or updated by `hold`. */
async function keptDrafts(
  { world, ada, bot }: Awaited<ReturnType<typeof createScene>>,
  { afterSend = () => {}, isAdmitted = async () => true } = {},
) {
  const deps = { ...world, hooks: [], limits: openLimits(world) };
  const senders = createSenders(deps);
  const kept = new KeptDrafts(deps, {
    ...senders,
    async sendPrivate(...given) {
      const sent = await senders.sendPrivate(...given);
      afterSend();
      return sent;
    },
  });
  const own = await findBotConversation(deps, bot.accountId, ada.accountId);
  const hold = (content: string) =>
    kept.hold('key', ada.accountId, {
      own,
      content,
      replyToMsgId: undefined,
      at: world.clock.now(),
      isAdmitted,
    });
  return { kept, hold };
}

test('when it may have been stored and nobody knows, the next step finds out', async (t) => {
  const scene = await createScene(t);
  let isBroken = true;
  const { kept, hold } = await keptDrafts(scene, {
    afterSend() {
      if (isBroken) throw new Error('the connection was lost');
    },
  });
  hold('Sunny');
  scene.world.clock.advance({ seconds: 30 });
  await assert.rejects(kept.sendLost(), { message: /could be kept/ });
  isBroken = false;
  await kept.sendLost();
  await kept.sendLost();
  assert.deepEqual(await scene.texts(), ['Sunny']);
});

test('a bot that speaks again while its draft is about to be kept goes on', async (t) => {
  const scene = await createScene(t);
  let next = () => {};
  const { kept, hold } = await keptDrafts(scene, {
    async isAdmitted() {
      next();
      return true;
    },
  });
  hold('Sun');
  scene.world.clock.advance({ seconds: 30 });
  next = () => hold('Sunny');
  await kept.sendLost();
  next = () => {};
  assert.deepEqual(await scene.texts(), []);
  scene.world.clock.advance({ seconds: 30 });
  next = () => kept.release('key');
  await kept.sendLost();
  assert.deepEqual(await scene.texts(), [], 'its message is finished in another process');
  hold('Rain');
  scene.world.clock.advance({ seconds: 30 });
  next = () => {
    kept.release('key');
    hold('Rainy');
  };
  await kept.sendLost();
  next = () => {};
  scene.world.clock.advance({ seconds: 30 });
  await kept.sendLost();
  assert.deepEqual(await scene.texts(), ['Rainy']);
});
