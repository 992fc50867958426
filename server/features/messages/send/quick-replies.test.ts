import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { denied, invalid, plain, refusal } from '#testing/answers.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

const BUTTONS = [
  { label: 'Yes', value: 'order-17' },
  { label: 'No' },
  { label: 'Menu', url: 'https://example.com/menu' },
];
const SHOWN = { buttons: [{ label: 'Yes' }, { label: 'No' }, BUTTONS[2]] };
const NO_BUTTON = invalid('button: the message does not have this button, or no longer');

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bob, bot] = [await world.person('Ada'), await world.person('Bob'), await world.bot()];
  await ada.writes(bot, 'hi');
  const groupId = await ada.makesGroup([bob, bot]);
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  const question = { type: 'text', content: 'Soup?' };
  return {
    ...{ world, ada, bob, bot, groupId, conversationId },
    asks: (quickReplies: object) => bot.writes(ada, { ...question, quickReplies }),
    asksGroup: (quickReplies: object, mentionedUserIds: string[] = []) =>
      bot.writesIn(groupId, { ...question, mentionedUserIds, quickReplies }),
  };
}

const presses = (
  person: Person,
  conversationId: string,
  msgId: string,
  button: number,
  headers: Record<string, string> = {},
) => {
  const path = `/api/chat/conversations/${conversationId}/messages/${msgId}/quick-replies`;
  return person.calls('POST', path, { button }, headers).then(plain);
};

test('a pressed button writes its label as an answer; the bot alone reads the value', async (t) => {
  const { ada, bot, conversationId, asks } = await scene(t);
  const question = await asks({ buttons: BUTTONS });
  assert.deepEqual((await ada.reads(bot))[0]?.quickReplies, SHOWN);
  for (const [button, label, value] of [
    [0, 'Yes', 'order-17'],
    [1, 'No', 'No'],
  ] as const) {
    const { status, body } = await presses(ada, conversationId, question, button);
    assert.equal(status, 201);
    const { msgId, sentAt, quote, ...answer } = body.data;
    assert.deepEqual(answer, {
      conversationId,
      from: ada.accountId,
      type: 'text',
      content: label,
      replyToMsgId: question,
    });
    assert.equal(quote.msgId, question);
    const stored = await bot.calls('GET', `/v1/messages/${msgId}?conversationId=${ada.accountId}`);
    assert.equal(stored.body.data.quickReplyValue, value);
    const [event] = (await bot.calls('GET', '/v1/events?limit=100')).body.data.events.slice(-1);
    assert.deepEqual(event.event.data, {
      msgId,
      type: 'text',
      textMsg: label,
      replyToMsgId: question,
      from: ada.accountId,
      chatId: ada.accountId,
      sentAt,
    });
  }
  assert.deepEqual((await ada.reads(bot)).at(-1)?.quickReplies, undefined);
  for (const button of [2, 3])
    assert.deepEqual(await presses(ada, conversationId, question, button), NO_BUTTON);
});

test('of several who press at once, one answers a question that is answered once, and its buttons go', async (t) => {
  const { world, ada, bob, groupId, conversationId, bot, asks, asksGroup } = await scene(t);
  const inGroup = await asksGroup({ buttons: BUTTONS, once: true });
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(groupId, (event) => received.push(event)));
  const answers = await Promise.all(
    [ada, bob, ada, bob].map((person, i) => presses(person, groupId, inGroup, i % 2)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400]);
  for (const answer of answers) if (answer.status !== 201) assert.deepEqual(answer, NO_BUTTON);
  const changes = received.flatMap((event) => (event.type === 'message.changed' ? [event.data] : []));
  assert.deepEqual(
    changes.map(({ msgId, quickReplies }) => [msgId, quickReplies]),
    [[inGroup, undefined]],
  );
  const alone = await asks({ buttons: BUTTONS, once: true });
  const key = { 'idempotency-key': 'press' };
  const first = await presses(ada, conversationId, alone, 0, key);
  assert.deepEqual((await presses(ada, conversationId, alone, 0, key)).body.data, first.body.data);
  assert.deepEqual(await presses(ada, conversationId, alone, 0), NO_BUTTON);
  const texts = (await ada.reads(bot)).map(({ content }) => content);
  assert.deepEqual(texts, ['Yes', 'Soup?', 'hi']);
});

test('a legal hold keeps the buttons that go with the answer', async (t) => {
  const { world, ada, conversationId, asks } = await scene(t);
  const msgId = await asks({ buttons: BUTTONS, once: true });
  await world.messages.holdConversation(conversationId, async () => {});
  assert.equal((await presses(ada, conversationId, msgId, 0)).status, 201);
  const kept = await world.db`select msg_id, version from held_messages`;
  assert.deepEqual([...kept], [{ msgId, version: 1 }]);
});

test('a press of another message’s button with the same idempotency key is another request', async (t) => {
  const { ada, conversationId, asks } = await scene(t);
  const [one, other] = [await asks({ buttons: BUTTONS }), await asks({ buttons: BUTTONS })];
  const key = { 'idempotency-key': 'press' };
  assert.equal((await presses(ada, conversationId, one, 0, key)).status, 201);
  assert.deepEqual(
    await presses(ada, conversationId, other, 0, key),
    refusal(409, 'already-exists', 'Idempotency-Key was already used for another request'),
  );
});

test('in a group, buttons may be for those whom the message mentions; strangers see no conversation', async (t) => {
  const { world, ada, bob, groupId, asksGroup } = await scene(t);
  const msgId = await asksGroup({ buttons: BUTTONS, mentionedOnly: true }, [bob.accountId]);
  assert.deepEqual(
    await presses(ada, groupId, msgId, 0),
    denied('the buttons are for the people whom the message mentions'),
  );
  assert.equal((await presses(bob, groupId, msgId, 0)).status, 201);
  assert.equal((await presses(await world.person('Eve'), groupId, msgId, 0)).status, 404);
});

test('an edited question keeps its buttons; a forwarded or deleted one has none', async (t) => {
  const { ada, bot, bob, conversationId, asks } = await scene(t);
  const msgId = await asks({ buttons: BUTTONS });
  await bot.calls('PATCH', `/v1/messages/${msgId}`, { conversationId: ada.accountId, content: 'Tea?' });
  assert.deepEqual((await ada.reads(bot))[0]?.quickReplies, SHOWN);
  const forward = { to: bob.accountId, conversationId, msgId };
  const copy = (await ada.calls('POST', '/api/chat/messages/forward', forward)).body.data;
  assert.deepEqual([copy.content, copy.quickReplies], ['Tea?', undefined]);
  await bot.calls('DELETE', `/v1/messages/${msgId}`, { conversationId: ada.accountId });
  assert.deepEqual(await presses(ada, conversationId, msgId, 0), NO_BUTTON);
});

test('buttons that are not possible name the field', async (t) => {
  const { ada, bot } = await scene(t);
  const cases: [quickReplies: object, message: string][] = [
    [{ buttons: [] }, 'quickReplies.buttons must have at least 1 entry'],
    [{ buttons: [{ label: ' ' }] }, 'quickReplies.buttons.0.label must not be blank'],
    [
      { buttons: [{ label: 'x'.repeat(65) }] },
      'quickReplies.buttons.0.label must have at most 64 characters',
    ],
    [
      { buttons: [{ label: 'a' }, { label: 'Menu', value: 'b', url: 'https://example.com' }] },
      'quickReplies.buttons.1.value cannot be combined with url',
    ],
  ];
  for (const [quickReplies, message] of cases) {
    const sent = { to: ada.accountId, type: 'text', content: 'Soup?', quickReplies };
    const answer = plain(await bot.calls('POST', '/v1/messages', sent));
    assert.deepEqual(answer, invalid(message));
  }
  const unsafe = { buttons: [{ label: 'Menu', url: 'https://localhost/' }] };
  const sent = { to: ada.accountId, type: 'text', content: 'Soup?', quickReplies: unsafe };
  const { status, body } = plain(await bot.calls('POST', '/v1/messages', sent));
  assert.deepEqual([status, body.message.split(' ')[0]], [400, 'quickReplies.buttons.0.url']);
});
