import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OpenSession } from '#features/accounts/index.ts';
import type { EventStream } from '#platform/http/connections/event-stream.ts';
import { type LiveEvent, MISSED } from '#platform/live.ts';
import { columnsOf } from '#testing/columns.ts';
import { listen, type SentEvent } from '#testing/event-source.ts';
import { createWorldFor, type Person } from '#testing/world.ts';
import { openLimits } from '../deps.ts';
import { LivePages } from './pages.ts';

interface Heard {
  id: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the whole of it
  data: any;
}

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  return {
    world,
    async opens(person: Person, lastEventId?: string) {
      const headers = { cookie: person.cookie, ...(lastEventId && { 'last-event-id': lastEventId }) };
      const source = await listen(`${origin}/api/chat/live`, headers);
      assert.equal(source.headers['content-type'], 'text/event-stream');
      return {
        next: async (): Promise<Heard> => read(await source.next()),
        ended: async () => (await source.next()) === undefined,
        closes: () => source[Symbol.asyncDispose](),
      };
    },
  };
}

function read(event: SentEvent | undefined): Heard {
  if (!event) throw new Error('the stream ended');
  return { ...event, data: JSON.parse(event.data) };
}

test('live events reach every open page of both sides, and end with the session', async (t) => {
  const { world, opens } = await scene(t);
  const [person, bot] = [await world.person(), await world.bot()];
  const page = await opens(person);
  assert.deepEqual(await page.next().then(({ type, data }) => [type, data]), ['ready', { resumed: false }]);
  const written = await person.writes(bot, 'hello');
  const first = await page.next();
  const people = [{ userId: person.accountId, name: 'Ada', isBot: false, isDeleted: false }];
  assert.deepEqual([first.type, first.data], ['message', { ...written, people }]);
  const answer = { to: person.accountId, type: 'text', content: 'hi', replyToMsgId: written.msgId };
  await bot.calls('POST', '/v1/messages', answer);
  const { type, data } = await page.next();
  assert.equal(type, 'message');
  assert.equal(data.content, 'hi');
  assert.deepEqual(data.quote, {
    msgId: written.msgId,
    from: person.accountId,
    type: 'text',
    excerpt: 'hello',
  });
  await person.blocks(bot);
  const blocked = await page.next();
  assert.deepEqual(
    [blocked.type, blocked.data],
    ['block.changed', { userId: bot.accountId, isBlocked: true }],
  );
  await person.calls('POST', '/api/auth/sign-out');
  assert.equal((await page.next()).type, 'session.ended');
  assert.ok(await page.ended());
});

test('a page that reconnects gets the events that it missed, each once and in order', async (t) => {
  const { world, opens } = await scene(t);
  const [person, bot] = [await world.person(), await world.bot()];
  const page = await opens(person);
  await page.next();
  await person.writes(bot, '0');
  const { id } = await page.next();
  // One is sent but never reaches the page; the others come while nobody is connected.
  await person.writes(bot, '1');
  await page.next();
  await page.closes();
  for (const content of ['2', '3']) await person.writes(bot, content);
  const again = await opens(person, id);
  assert.deepEqual(await again.next().then(({ type, data }) => [type, data]), ['ready', { resumed: true }]);
  for (const content of ['1', '2', '3']) assert.equal((await again.next()).data.content, content);
  await person.writes(bot, '4');
  assert.equal((await again.next()).data.content, '4');
});

test('a page that reconnects before its old connection is known to be closed replaces it', async (t) => {
  const { world, opens } = await scene(t);
  const [person, bot] = [await world.person(), await world.bot()];
  const page = await opens(person);
  const { id } = await page.next();
  const again = await opens(person, id);
  assert.deepEqual((await again.next()).data, { resumed: true });
  assert.ok(await page.ended());
  await person.writes(bot, 'x');
  assert.equal((await again.next()).data.content, 'x');
});

test('a page that missed too much, or sends another person’s cursor or an invalid one, is asked to reload', async (t) => {
  const { world, opens } = await scene(t);
  const [person, other, bot] = [await world.person(), await world.person(), await world.bot()];
  const page = await opens(person);
  const { id } = await page.next();
  await page.closes();
  for (let i = 0; i < 65; i++) await person.writes(bot, `${i}`);
  for (const [who, cursor] of [
    [person, id],
    [other, id],
    [person, `${id}999`],
    [person, 'AAAAAAAAAAAAAAAA.0'],
    [person, 'nonsense'],
  ] as const) {
    const again = await opens(who, cursor);
    assert.deepEqual((await again.next()).data, { resumed: false });
    await again.closes();
  }
});

test('when this process may have missed events, open pages reload and older cursors are invalid', async (t) => {
  const { world, opens } = await scene(t);
  const person = await world.person();
  const page = await opens(person);
  const { id } = await page.next();
  world.live.publish(person.accountId, MISSED);
  assert.deepEqual((await page.next()).data, { resumed: false });
  await page.closes();
  const again = await opens(person, id);
  assert.deepEqual((await again.next()).data, { resumed: false });
});

test('a page whose person hides typing gets it no longer, from the event on that may tell of the choice', async (t) => {
  const { world, opens } = await scene(t);
  const [ada, bob] = [await world.person(), await world.person()];
  const { conversationId } = await ada.writes(bob, 'hello');
  const page = await opens(ada);
  await page.next();
  const type = () => bob.calls('POST', `/api/chat/conversations/${conversationId}/typing`);
  await type();
  assert.equal((await page.next()).type, 'typing');
  await world.db`update accounts set typing_indicators = false where account_id = ${ada.accountId}`;
  const typing: LiveEvent = { type: 'typing', data: { conversationId, userId: bob.accountId } };
  world.live.publish(ada.accountId, { type: 'profile.changed', data: {} });
  world.live.publish(ada.accountId, typing);
  assert.equal((await page.next()).type, 'profile.changed');
  world.live.publish(ada.accountId, MISSED);
  assert.equal((await page.next()).type, 'ready');
  await type();
  await bob.writes(ada, 'hi');
  assert.equal((await page.next()).type, 'message');
});

test('the stream of a session that ended unannounced ends at the heartbeat, and no other does', async (t) => {
  const { world, opens } = await scene(t);
  const [gone, ada, bot] = [await world.person(), await world.person(), await world.bot()];
  const [ending, staying] = [await opens(gone), await opens(ada)];
  await Promise.all([ending.next(), staying.next()]);
  await world.db`delete from sessions where account_id = ${gone.accountId}`;
  for (let i = 0; i < 20; i++) await world.app.openStreams.beat();
  assert.ok(await ending.ended());
  await ada.writes(bot, 'x');
  assert.equal((await staying.next()).data.content, 'x');
});

test('a changed name or picture of a bot, and its deletion, reach the pages of those who talk with it, and no others', async (t) => {
  const { world, opens } = await scene(t);
  const [ada, bob, owner] = [await world.person(), await world.person(), await world.person()];
  const bot = await world.bot({ name: 'Weather', owner });
  await ada.writes(bot, 'hi');
  const [page, other] = [await opens(ada), await opens(bob)];
  for (const one of [page, other]) await one.next();
  const application = `/api/console/applications/${bot.appId}`;
  const rain = { userId: bot.accountId, name: 'Rain', username: bot.username, isBot: true, isDeleted: false };
  const pictureUrl = 'https://example.com/rain.png';
  for (const [path, change, shown] of [
    [application, { name: 'Rain' }, rain],
    [`${application}/bot`, { pictureUrl }, { ...rain, pictureUrl }],
    [`${application}/bot`, { plainText: true }, { ...rain, pictureUrl, isPlainText: true }],
  ] as const) {
    await owner.calls('PATCH', path, change);
    const { type, data } = await page.next();
    assert.deepEqual([type, data], ['person.changed', shown]);
  }
  // Nothing visible has changed.
  await owner.calls('PATCH', application, { name: 'Rain' });
  await owner.calls('PATCH', `${application}/bot`, { description: 'Tells of rain.' });
  await bob.writes(ada, 'hello');
  for (const one of [page, other]) assert.equal((await one.next()).type, 'message');
  assert.equal((await owner.calls('DELETE', application)).status, 200);
  const { type, data } = await page.next();
  assert.deepEqual([type, data.userId, data.isDeleted], ['person.changed', bot.accountId, true]);
});

test('a page that gets more between joining and its stream than is kept reads all again', async (t) => {
  const world = await createWorldFor(t);
  const { accountId } = await world.person();
  using pages = new LivePages({ ...world, hooks: [], limits: openLimits(world) });
  const data = { conversationId: 'prv_1', version: 1 };
  let cursor: string | undefined;
  for (const _ of ['new', 'resumed']) {
    const page = await pages.join({ accountId, sessionId: 'ses_1' } as OpenSession, cursor);
    for (let i = 0; i < 100; i++) world.live.publish(accountId, { type: 'draft.changed', data });
    const sent: { id: string; type: string; data: object }[] = [];
    const stream = { send: (event: (typeof sent)[0]) => sent.push(event), check: async () => {} };
    await page.attach(stream as unknown as EventStream);
    assert.deepEqual(columnsOf(sent.slice(0, 2), 'type', 'data'), [
      ['ready', { resumed: false }],
      ['draft.changed', data],
    ]);
    cursor = sent.at(-1)?.id;
    page.onClose();
  }
});
