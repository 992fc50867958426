import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Client, Progress, RequestOptions } from '@modelcontextprotocol/client';
import { privateConversationId } from '#platform/ids.ts';
import { columnOf } from '#testing/columns.ts';
import { mcpScene } from '#testing/mcp-scene.ts';
import { eventually, LONGEST_WAIT_MS } from '#testing/waits.ts';
import type { Bot, Person } from '#testing/world.ts';

/** Revisions of the protocol: clients of 2025, the default, cancel by another request, later ones by ending theirs. */
const REVISIONS = { 2025: {}, 2026: { versionNegotiation: { mode: 'auto' } } } as const;

async function scene(t: TestContext, revision: keyof typeof REVISIONS = 2025) {
  const mcp = await mcpScene(t);
  const { world, allows, connect, call } = mcp;
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await allows(bot);
  await ada.writes(bot, 'hi');
  const client = await connect(bot.key, {}, REVISIONS[revision]);
  const ask = (given: object, options: RequestOptions = {}, by = client) =>
    call(by, 'ask_person', { to: ada.accountId, ...given }, { timeout: LONGEST_WAIT_MS, ...options });
  return {
    ...mcp,
    ada,
    bot,
    client,
    ask,
    /** Goes on for as long as the test takes. */
    askUntilAnswered: async (given: object, options: RequestOptions = {}) => {
      let result = await ask(given, options);
      while (result.isAnswered === false) result = await ask({ msgId: result.msgId });
      return result;
    },
    /** The question, once it has arrived. */
    asked: (content: string) =>
      eventually(async () => (await ada.reads(bot)).find((message) => message.content === content)),
    isWaiting: (expected: boolean) => eventually(() => world.live.isListening(ada.accountId) === expected),
  };
}

async function presses(person: Person, bot: Bot, msgId: string, button: number) {
  const conversationId = privateConversationId(person.accountId, bot.accountId);
  const path = `/api/chat/conversations/${conversationId}/messages/${msgId}/quick-replies`;
  return (await person.calls('POST', path, { button })).body.data;
}

const nobody = (msgId: string) => ({
  isAnswered: false,
  msgId,
  next: 'Nobody has answered yet. To go on waiting, call ask_person with `to` and this `msgId`; to look later, call listMessages.',
});

test('a pressed button answers a question, and its event is delivered as always', async (t) => {
  const { ada, bot, client, asked, askUntilAnswered, isWaiting, call } = await scene(t);
  const { nextAfter } = await call(client, 'listEvents');
  const quickReplies = { buttons: [{ label: 'Yes', value: 'deploy' }, { label: 'No' }], once: true };
  const asking = askUntilAnswered({ content: 'Deploy?', quickReplies });
  const { msgId } = await asked('Deploy?');
  const pressed = await presses(ada, bot, msgId, 0);
  const answer = {
    msgId: pressed.msgId,
    from: ada.accountId,
    chatId: ada.accountId,
    type: 'text',
    textMsg: 'Yes',
    replyToMsgId: msgId,
    sentAt: pressed.sentAt,
  };
  assert.deepEqual(await asking, {
    isAnswered: true,
    msgId,
    answer: { ...answer, quickReplyValue: 'deploy' },
  });
  const { events } = await call(client, 'listEvents', { after: nextAfter });
  assert.deepEqual(columnOf(events, 'event'), [{ type: 'message.received', data: answer }]);
  await isWaiting(false);
});

for (const revision of [2025, 2026] as const)
  test(`the first message of the person that quotes no other answers; a client of ${revision} sees that it waits`, async (t) => {
    const { world, ada, bot, asked, askUntilAnswered } = await scene(t, revision);
    const bob = await world.person('Bob');
    const earlier = await ada.writes(bot, 'earlier');
    const told: Progress[] = [];
    const asking = askUntilAnswered({ content: 'Name?' }, { onprogress: (progress) => told.push(progress) });
    const { msgId } = await asked('Name?');
    await eventually(() => told.length > 1);
    const [first, second] = told;
    assert.deepEqual(first, { progress: 0, total: 45, message: `waiting for an answer to ${msgId}` });
    assert.ok((second?.progress ?? 0) > 0);
    await bob.writes(bot, 'from Bob');
    await ada.writes(bob, 'to Bob');
    await ada.writes(bot, { type: 'text', content: 'to another', replyToMsgId: earlier.msgId });
    const { msgId: answerId } = await ada.writes(bot, 'Countess');
    await ada.writes(bot, 'of Lovelace');
    const { answer } = await asking;
    assert.deepEqual([answer.msgId, answer.textMsg], [answerId, 'Countess']);
  });

test('when the time is up the result says how to go on; an answer that came meanwhile is found', async (t) => {
  const { world, ada, bot, ask } = await scene(t);
  const { msgId, ...rest } = await ask({ content: 'Lunch?', waitSeconds: 1 });
  assert.deepEqual({ msgId, ...rest }, nobody(msgId));
  assert.deepEqual(await ask({ msgId, waitSeconds: 1 }), nobody(msgId));
  await ada.writes(bot, 'at one');
  // More than a page of messages later.
  for (let i = 0; i < 60; i++) await ada.writes(bot, `${i}`);
  const { isAnswered, answer } = await ask({ msgId });
  assert.deepEqual([isAnswered, answer.textMsg], [true, 'at one']);

  await world.applications.changeQuota(bot.appId, 8);
  const messages = `/v1/conversations/${ada.accountId}/messages`;
  while ((await bot.calls('GET', messages)).status === 200);
  assert.deepEqual(await ask({ msgId, waitSeconds: 1 }), nobody(msgId), 'it cannot look');
});

for (const revision of [2025, 2026] as const)
  test(`the wait ends when a client of ${revision} cancels or disconnects`, async (t) => {
    const { client, ask, asked, isWaiting, connect, bot } = await scene(t, revision);
    const ends = async (content: string, by: Client, end: () => void, options: RequestOptions = {}) => {
      const asking = assert.rejects(ask({ content }, options, by));
      await asked(content);
      await isWaiting(true);
      end();
      await asking;
      await isWaiting(false);
    };
    const cancelling = new AbortController();
    await ends('One?', client, () => cancelling.abort(), { signal: cancelling.signal });
    const leaving = await connect(bot.key, {}, REVISIONS[revision]);
    await ends('Two?', leaving, () => void leaving.close());
  });

test('a revoked key ends the wait', async (t) => {
  const { bot, ask, asked, isWaiting } = await scene(t);
  const asking = ask({ content: 'Still?' });
  await asked('Still?');
  await bot.owner.calls('POST', `/api/console/applications/${bot.appId}/api-key`);
  assert.match(await asking, /^401 unauthenticated: /);
  await isWaiting(false);
});

test('a server that stops ends the wait, and says how to go on', async (t) => {
  const { world, ask, asked } = await scene(t);
  const asking = ask({ content: 'Still?' });
  const { msgId } = await asked('Still?');
  await world.app.close();
  assert.deepEqual(await asking, nobody(msgId));
});

test('an application waits for 20 answers at a time, and others are unaffected', async (t) => {
  const { world, ada, bot, ask, asked, connect, allows, client } = await scene(t);
  const asking = Array.from({ length: 20 }, (_, i) => ask({ content: `${i}?` }).catch(() => {}));
  for (let i = 0; i < 20; i++) await asked(`${i}?`);
  assert.equal(
    await ask({ content: 'one more?' }),
    '429 resource-exhausted: 20 questions of this application are waiting for an answer already',
  );
  assert.equal(
    (await ada.reads(bot)).some(({ content }) => content === 'one more?'),
    false,
  );
  const other = await world.bot();
  await allows(other);
  await ada.writes(other, 'hi');
  const { isAnswered } = await ask({ content: 'x', waitSeconds: 1 }, {}, await connect(other.key));
  assert.equal(isAnswered, false);
  await client.close();
  await Promise.all(asking);
});

test('a question is refused as the message would be, and nothing is waited for', async (t) => {
  const { world, ada, bot, ask, connect, allows, isWaiting } = await scene(t);
  const bob = await world.person('Bob');
  const { msgId } = await ada.writes(bot, 'x');
  const elsewhere = await ada.writes(bob, 'x');
  for (const [given, message] of [
    [{}, '400 invalid-argument: content is required'],
    [{ content: 'x', waitSeconds: 51 }, '400 invalid-argument: waitSeconds must be <= 50'],
    [{ content: 'x', waitSeconds: '5' }, '400 invalid-argument: waitSeconds must be of type integer'],
    [{ content: 'x', msgId }, '400 invalid-argument: content must not be given together with msgId'],
    [{ msgId: elsewhere.msgId }, '404 not-found: no message of this conversation has the id in `msgId`'],
    [{ to: bob.accountId, content: 'x' }, /^400 failed-precondition: /],
    [{ to: 'usr_x', content: 'x' }, /^404 not-found: /],
  ] as const) {
    const result = await ask(given);
    if (typeof message === 'string') assert.equal(result, message);
    else assert.match(result, message);
  }
  await bot.mayOnly(['groups:manage']);
  assert.match(await ask({ content: 'x' }), /^403 permission-denied: the scope messages:send is missing/);
  const application = await world.client();
  await allows(application);
  const person = await connect(await world.token({ scopes: ['profile'], client: application }));
  assert.match(await ask({ content: 'x' }, {}, person), /^403 permission-denied: /);
  await isWaiting(false);
});
