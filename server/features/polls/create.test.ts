import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBodyIfReadable } from '#features/webhooks/record-events.ts';
import { denied, invalid, missing, plain, precondition, success } from '#testing/answers.ts';
import { pollScene, QUESTION } from '#testing/poll-scene.ts';

const WEBHOOK = 'https://bot.example.com/hook';

test('a bot polls a person: 201 with msgId and the poll, and the person sees it in the chat', async (t) => {
  const { world, person, bot } = await pollScene(t);
  // The same as leaving them out.
  const none = { groupId: null, allowMultipleAnswers: null, isAnonymous: null };
  const answer = await bot.calls('POST', '/v1/polls', { receiverId: person.accountId, ...QUESTION, ...none });
  const { msgId, poll } = answer.body.data;
  assert.match(msgId, /^msg_[0-9a-z]{24}$/);
  const shown = {
    id: poll.id,
    msgId,
    question: 'Tea or coffee?',
    options: QUESTION.options.map((text, i) => ({ id: poll.options[i].id, text, votes: 0, voters: [] })),
    allowMultipleAnswers: false,
    isAnonymous: false,
    closed: false,
    creatorId: bot.accountId,
    totalVotes: 0,
    totalVoters: 0,
    createdAt: world.clock.now(),
    myOptionIds: [],
  };
  const body = success('poll created', { msgId, poll: shown }, world.clock.now());
  assert.deepEqual(plain(answer), { status: 201, body });
  const [message] = await person.reads(bot);
  assert.deepEqual(message, {
    msgId,
    conversationId: message?.conversationId,
    from: bot.accountId,
    type: 'poll',
    poll,
    sentAt: world.clock.now(),
  });
});

test('exactly one of groupId and receiverId: neither or both is 400', async (t) => {
  const { person, bot, group } = await pollScene(t);
  const groupId = await group([person]);
  const create = async (body: object) =>
    plain(await bot.calls('POST', '/v1/polls', { ...QUESTION, ...body }));
  assert.deepEqual(await create({}), invalid('groupId or receiverId is required'));
  assert.deepEqual(
    await create({ groupId, receiverId: person.accountId }),
    invalid('receiverId must not be given together with groupId'),
  );
});

test('question and options: boundaries on both sides, in code points', async (t) => {
  const { person, bot } = await pollScene(t);
  const create = async (body: object) =>
    plain(await bot.calls('POST', '/v1/polls', { receiverId: person.accountId, ...QUESTION, ...body }));
  const options = (count: number) => Array.from({ length: count }, (_, i) => `option ${i}`);
  for (const body of [
    { question: '😀'.repeat(300) },
    { question: '?' },
    { options: options(2) },
    { options: options(12) },
    { options: ['a', '😀'.repeat(100)] },
    { options: ['a', 'A', 'a '] },
  ]) {
    assert.equal((await create(body)).status, 201, JSON.stringify(body).slice(0, 60));
  }
  const refused: [object, string][] = [
    [{ question: 'a'.repeat(301) }, 'question must have at most 300 characters'],
    [{ question: '' }, 'question must have at least 1 character'],
    [{ question: ' \n' }, 'question must not be blank'],
    [{ question: null }, 'question must be of type string'],
    [{ question: 12 }, 'question must be of type string'],
    [{ options: options(1) }, 'options must have at least 2 entries'],
    [{ options: options(13) }, 'options must have at most 12 entries'],
    [{ options: ['a', 'b'.repeat(101)] }, 'options.1 must have at most 100 characters'],
    [{ options: ['a', '\t'] }, 'options.1 must not be blank'],
    [{ options: ['a', 1] }, 'options.1 must be of type string'],
    [{ options: ['a', 'b', 'a'] }, 'options.2 repeats an earlier option'],
    [{ options: 'ab' }, 'options must be of type array'],
    [{ allowMultipleAnswers: 'true' }, 'allowMultipleAnswers must be of type boolean'],
    [{ isAnonymous: 1 }, 'isAnonymous must be of type boolean'],
    [{ receiverId: 'a b' }, 'receiverId must be an id: 1 to 128 letters, digits, _ and -'],
  ];
  for (const [body, message] of refused) assert.deepEqual(await create(body), invalid(message));
  for (const field of ['question', 'options']) {
    assert.deepEqual(await create({ [field]: undefined }), invalid(`${field} is required`));
  }
});

test('a poll obeys the rules for writing in its conversation, and a refused one is not stored', async (t) => {
  const { world, bot, person, pollingBot, group } = await pollScene(t);
  const [other, outsider, stranger] = [await pollingBot(), await pollingBot(), await world.person()];
  const creator = { kind: 'user' as const, accountId: person.accountId };
  const open = await group([person]);
  const announcements = await group([bot], { creator, sendMessages: false });
  const list = await group([bot], { creator, isBroadcast: true });
  const ownList = await group([person], { isBroadcast: true });
  await other.deleted();
  await person.blocks(bot);
  const unknown = missing('no account has the id in `receiverId`');
  const noGroup = missing('no group has the id in `groupId`');
  for (const [by, conversation, refused] of [
    [bot, { receiverId: 'nobody' }, unknown],
    [bot, { receiverId: other.accountId }, unknown],
    [bot, { receiverId: outsider.accountId }, denied('receiverId is a bot; bots cannot write to bots')],
    [bot, { receiverId: stranger.accountId }, precondition('the user never wrote to this bot')],
    [bot, { receiverId: person.accountId }, denied('the user blocked this bot')],
    [outsider, { groupId: open }, denied('you are not a member of this group')],
    [bot, { groupId: announcements }, denied('only administrators can write in this group')],
    [bot, { groupId: list }, denied('only the creator can write in a broadcast list')],
    [bot, { groupId: world.newId('grp') }, noGroup],
    [bot, { groupId: 'nonsense' }, noGroup],
  ] as const)
    assert.deepEqual(plain(await by.calls('POST', '/v1/polls', { ...QUESTION, ...conversation })), refused);
  assert.equal((await world.db`select from polls`).length, 0);
  for (const groupId of [open, ownList])
    assert.equal((await bot.calls('POST', '/v1/polls', { ...QUESTION, groupId })).status, 201);
});

test('every member bot except the creator gets one event for a group’s poll', async (t) => {
  const scene = await pollScene(t);
  const { world, person, bot } = scene;
  const hearing = await scene.pollingBot(WEBHOOK);
  const deaf = await scene.pollingBot();
  const owner = { kind: 'user' as const, accountId: person.accountId };
  await world.db`update applications set webhook_url = ${WEBHOOK} where app_id = ${bot.appId}`;
  const groupId = await scene.group([bot, hearing, deaf], { creator: owner });
  const { msgId, poll } = await scene.creates({ groupId, isAnonymous: true, allowMultipleAnswers: true });
  const [event, ...others] = await eventsIn(world);
  const { data } = event ?? {};
  assert.deepEqual([event?.appId, event?.type, others], [hearing.appId, 'group_message.received', []]);
  const { id, question } = poll;
  const options = poll.options.map(({ id, text }) => ({ id, text }));
  const asked = { id, question, options, allowMultipleAnswers: true, isAnonymous: true };
  assert.deepEqual([data.msgId, data.from, data.groupId, data.poll], [msgId, bot.accountId, groupId, asked]);
});

test('an OAuth user sends a poll to a bot: the bot gets an event, and the user counts as having written to it', async (t) => {
  const { world, acts, pollingBot } = await pollScene(t);
  const bot = await pollingBot(WEBHOOK);
  const user = await world.person();
  const created = await acts(user, '/v1/polls', { ...QUESTION, receiverId: bot.accountId });
  assert.equal(created.status, 201);
  const { msgId, poll } = created.body.data;
  assert.equal(poll.creatorId, user.accountId);
  const [event] = await eventsIn(world);
  const { data } = event ?? {};
  assert.deepEqual([event?.appId, event?.type], [bot.appId, 'message.received']);
  assert.deepEqual([data.msgId, data.chatId, data.poll.id], [msgId, user.accountId, poll.id]);
  await bot.writes(user, 'it may write');
});

test('an OAuth user polls another person, unless either blocked the other', async (t) => {
  const { world, acts } = await pollScene(t);
  const [ada, bob] = await world.people('Ada', 'Bob');
  const create = async () => plain(await acts(ada, '/v1/polls', { ...QUESTION, receiverId: bob.accountId }));
  const created = await create();
  assert.equal(created.status, 201);
  assert.deepEqual((await bob.reads(ada))[0]?.poll, created.body.data.poll);
  await bob.blocks(ada);
  assert.deepEqual(await create(), denied('this person does not accept messages from you'));
  await bob.unblocks(ada);
  await ada.blocks(bob);
  assert.deepEqual(await create(), denied('you blocked this account; unblock it to write'));
  assert.deepEqual(
    plain(await acts(ada, '/v1/polls', { ...QUESTION, receiverId: ada.accountId })),
    invalid('receiverId must be somebody else'),
  );
  assert.deepEqual(
    plain(await acts(ada, '/v1/polls', { ...QUESTION, receiverId: 'nobody' })),
    missing('no account has the id in `receiverId`'),
  );
});

test('50 parallel creations with one Idempotency-Key create one poll and get one answer', async (t) => {
  const { world, person, bot, group } = await pollScene(t);
  const groupId = await group([person]);
  for (const [i, conversation] of [{ receiverId: person.accountId }, { groupId }].entries()) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        bot.calls('POST', '/v1/polls', { ...QUESTION, ...conversation }, { 'idempotency-key': `key-${i}` }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size, 1);
  }
  const [{ polls } = { polls: -1 }] = await world.db<{ polls: number }[]>`
    select count(*)::integer as polls from polls`;
  assert.equal(polls, 2);
});

test('the database contains no plain text of a poll', async (t) => {
  const { world, person, creates } = await pollScene(t);
  await creates({ receiverId: person.accountId, question: 'canary-4711?', options: ['canary-4711', 'b'] });
  const bodies = await world.db`select encode(body, 'escape') as body from messages`;
  const others = await world.db`
    select polls::text as row from polls union all select poll_votes::text from poll_votes
    union all select unique_names::text from unique_names`;
  assert.ok(bodies.length === 2 && others.length > 0);
  assert.ok(bodies.every(({ body }) => !String(body).includes('canary')));
  assert.ok(others.every(({ row }) => !String(row).includes('canary')));
});

async function eventsIn(world: Awaited<ReturnType<typeof pollScene>>['world']) {
  const rows = await world.db<(Parameters<typeof openBodyIfReadable>[1] & { appId: string })[]>`
    select delivery_id, event.app_id, body, body_key_id
    from events event join event_queue using (bucket, delivery_id) where state = 'pending' order by delivery_id`;
  return rows.map((row) => ({
    appId: row.appId,
    ...JSON.parse(String(openBodyIfReadable(world.keyring, row))),
  }));
}
