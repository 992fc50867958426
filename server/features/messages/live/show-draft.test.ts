import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { missing, plain } from '#testing/answers.ts';
import { type Bot, createWorldFor, type Person } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bob, bot] = [await world.person('Ada'), await world.person('Bob'), await world.bot()];
  const { msgId } = await ada.writes(bot, 'hi');
  /** The drafts that open pages get; resolves once there are as many. */
  const follow = (topic: string) => {
    const received: Extract<LiveEvent, { type: 'message.draft' }>['data'][] = [];
    const waiting: (() => void)[] = [];
    const unfollow = world.live.subscribe(topic, (event) => {
      if (event.type !== 'message.draft') return;
      received.push(event.data);
      for (const look of waiting) look();
    });
    t.after(unfollow);
    const until = (content: string) =>
      new Promise<void>((resolve) => {
        const look = () => received.at(-1)?.content === content && resolve();
        waiting.push(look);
        look();
      });
    return { received, until };
  };
  return { world, ada, bob, bot, msgId, follow };
}

const shows = (bot: Bot | Person, body: object) => bot.calls('PUT', '/v1/messages/draft', body).then(plain);

test('open pages show what a bot is writing, and nothing of it is stored or notified', async (t) => {
  const { world, ada, bot, msgId, follow } = await scene(t);
  const { received } = follow(ada.accountId);
  const at = world.clock.now();
  const draft = { conversationId: ada.accountId, content: 'Tomorrow will be **sun', replyToMsgId: msgId };
  assert.deepEqual(await shows(bot, draft), {
    status: 200,
    body: { status: 'success', message: 'draft shown', data: { shown: true }, timestamp: at },
  });
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  assert.deepEqual(received, [
    { conversationId, userId: bot.accountId, content: draft.content, replyToMsgId: msgId, at },
  ]);
  assert.equal((await ada.reads(bot)).length, 1);
  const { unreadCount } = (await ada.calls('GET', `/api/chat/conversations/${conversationId}`)).body.data;
  assert.equal(unreadCount, 0);
});

test('of many updates only some reach a page, and the last one always does', async (t) => {
  const { ada, bot, follow } = await scene(t);
  const { received, until } = follow(ada.accountId);
  const texts = Array.from({ length: 40 }, (_, i) => 'x'.repeat(i + 1));
  for (const content of texts)
    assert.equal((await shows(bot, { conversationId: ada.accountId, content })).status, 200);
  await until(texts.at(-1) as string);
  assert.equal(received[0]?.content, 'x');
  assert.ok(received.length < texts.length, `${received.length} of ${texts.length}`);
  const lengths = received.map(({ content }) => content.length);
  assert.deepEqual(
    lengths,
    lengths.toSorted((one, other) => one - other),
  );
});

test('a draft is refused where the message would be, and its text is checked like that of a message', async (t) => {
  const { ada, bob, bot } = await scene(t);
  const content = 'x';
  const unknown = missing('there is no such conversation');
  for (const conversationId of [
    bob.accountId,
    'usr_zzzzzzzzzzzzzzzzzzzzzzzz',
    'grp_zzzzzzzzzzzzzzzzzzzzzzzz',
  ])
    assert.deepEqual(await shows(bot, { conversationId, content }), unknown, conversationId);
  for (const wrong of ['', ' ', 'x'.repeat(4097)]) {
    const { status, body } = await shows(bot, { conversationId: ada.accountId, content: wrong });
    assert.deepEqual([status, String(body.message).includes('content')], [400, true], body.message);
  }
  await ada.calls('POST', '/api/chat/blocks', { userId: bot.accountId });
  const blocked = await shows(bot, { conversationId: ada.accountId, content });
  assert.equal(blocked.status, 403);
  const sent = await bot.calls('POST', '/v1/messages', { to: ada.accountId, type: 'text', content });
  assert.deepEqual([sent.status, sent.body.message], [blocked.status, blocked.body.message]);
});

test('a key that was revoked shows nothing from then on, whatever else is wrong', async (t) => {
  const { ada, bob, bot, follow } = await scene(t);
  const { received } = follow(ada.accountId);
  const statusOf = async (conversationId: string, content: string) =>
    (await shows(bot, { conversationId, content })).status;
  for (const content of ['a', 'ab']) assert.equal(await statusOf(ada.accountId, content), 200);
  const { key } = bot;
  await bot.regeneratesKey();
  const newKey = bot.key;
  bot.key = key;
  for (const conversationId of [ada.accountId, bob.accountId])
    for (const content of ['abc', '']) assert.equal(await statusOf(conversationId, content), 401);
  bot.key = newKey;
  assert.equal(await statusOf(ada.accountId, 'abcd'), 200);
  assert.equal(received[0]?.content, 'a');
  assert.ok(received.every(({ content }) => content !== 'abc'));
});

test('what is shown ends at once when the application is disabled or suspended, or the key is replaced', async (t) => {
  const { world, ada, bob, bot, follow } = await scene(t);
  await bob.writes(bot, 'hi');
  const places = [ada.accountId, bob.accountId, await ada.makesGroup([bot])];
  const pages = places.map(follow);
  const showAll = async () => {
    for (const conversationId of places)
      assert.equal((await shows(bot, { conversationId, content: 'x' })).status, 200);
    for (const { until } of pages) await until('x');
  };
  const ends = async (change: () => Promise<unknown>) => {
    await showAll();
    world.clock.advance({ milliseconds: 1 });
    const at = world.clock.now();
    await change();
    for (const { until, received } of pages) {
      await until('');
      assert.equal(received.at(-1)?.at, at);
    }
  };
  await ends(() => bot.owner.disables(bot));
  await bot.owner.reactivates(bot);
  await ends(() => bot.regeneratesKey());
  await ends(() => world.operators.perform('application.suspended', bot, {}));
  await world.unsuspends(bot);

  await showAll();
  await bot.owner.calls('POST', `/api/console/applications/${bot.appId}/api-keys`, { name: 'Other' });
  assert.ok(pages.every(({ received }) => received.at(-1)?.content === 'x'));
});

test('in a group it is shown to the group; a bot that may not write there is refused', async (t) => {
  const { ada, bob, bot, follow } = await scene(t);
  const create = (settings: object) => ada.makesGroup([bob, bot], settings);
  const groupId = await create({});
  const { received } = follow(groupId);
  assert.equal((await shows(bot, { conversationId: groupId, content: 'x' })).status, 200);
  assert.deepEqual(
    received.map(({ userId, content }) => [userId, content]),
    [[bot.accountId, 'x']],
  );
  const quiet = await create({ sendMessages: false });
  assert.equal((await shows(bot, { conversationId: quiet, content: 'x' })).status, 403);
});

test('its quota is ten times that of other endpoints', async (t) => {
  const { ada, bot } = await scene(t);
  const limitOf = async (method: 'PUT' | 'POST', path: string, body: object) =>
    Number((await bot.calls(method, path, body)).headers['ratelimit-limit']);
  const draft = await limitOf('PUT', '/v1/messages/draft', { conversationId: ada.accountId, content: 'x' });
  const typing = await limitOf('POST', '/v1/messages/typing', { conversationId: ada.accountId });
  assert.equal(draft, 10 * typing);
});
