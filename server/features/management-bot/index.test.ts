import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textsIn } from '#platform/texts.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { createManagementScene, managementScene } from '#testing/management-scene.ts';
import { eventually } from '#testing/waits.ts';
import type { Person } from '#testing/world.ts';
import { startManagementBotWorker } from '../../workers.ts';
import { COMMANDS, installManagementBot, MANAGEMENT_BOT_ID } from './identity.ts';
import { answerDue } from './index.ts';

const texts = textsIn('en');
const BOT = { accountId: MANAGEMENT_BOT_ID };

async function answersTo(person: Person): Promise<string[]> {
  return (await person.reads(BOT))
    .filter(({ from }) => from === MANAGEMENT_BOT_ID)
    .map(({ content }) => content as string)
    .reverse();
}

test('two concurrent workers answer each message once, in order', async (t) => {
  const { world, person } = await managementScene(t);
  for (const text of ['/newbot', 'Weather', 'weather_bot']) await person.writes(BOT, text);
  for (let i = 0; i < 6; i++) {
    await Promise.all([answerDue(world, { limit: 4 }), answerDue(world, { limit: 4 })]);
  }
  const [first, second, third, ...more] = await answersTo(person);
  assert.equal(first, texts('bot.say.askName', { limit: 64 }));
  assert.match(second as string, /Now send a username/);
  assert.match(third as string, /xk_live_/);
  assert.deepEqual(more, []);
  assert.equal((await world.db`select msg_id from bot_inbox`).length, 0);
});

test('a crash before the commit leaves nothing, and the same message is answered later', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await scene.saysAll(person, '/newbot Weather');
  await person.writes(BOT, 'weather_bot');
  // The database refuses the last statement: the earlier writes of the services must be rolled back.
  expectErrors(/shown_secrets.* does not exist/);
  await world.db.unsafe('alter table shown_secrets rename to shown_secrets_away');
  await answerDue(world, { limit: 4 });
  assert.equal((await world.db`select app_id from applications`).length, 0);
  assert.equal((await answersTo(person)).length, 1);
  await world.db.unsafe('alter table shown_secrets_away rename to shown_secrets');
  await scene.answers();
  assert.equal((await answersTo(person)).length, 1, 'it waits before the next try');
  world.clock.advance({ seconds: 1 });
  await scene.answers();
  assert.match((await answersTo(person))[1] as string, /xk_live_/);
  assert.equal((await world.db`select app_id from applications`).length, 1);
});

test('after five internal failures the person gets a message, and the conversation continues', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await scene.saysAll(person, '/newbot Weather');
  await person.writes(BOT, 'weather_bot');
  expectErrors(/api_keys.* does not exist/);
  await world.db.unsafe('alter table api_keys rename to api_keys_away');
  for (let i = 0; i < 5; i++) {
    await scene.answers();
    world.clock.advance({ seconds: 20 });
  }
  await world.db.unsafe('alter table api_keys_away rename to api_keys');
  assert.equal((await answersTo(person)).at(-1), texts('bot.say.failed'));
  assert.match(await scene.says(person, 'weather_bot'), /xk_live_/);
});

test('when two people choose a username at the same moment, one gets it and the other is told that it is taken', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const [one, two] = [await world.person(), await world.person()];
  for (const person of [one, two]) {
    await scene.saysAll(person, '/newbot Weather');
    await person.writes(BOT, 'weather_bot');
  }
  await scene.answers();
  const last = [(await answersTo(one)).at(-1), (await answersTo(two)).at(-1)] as string[];
  assert.equal(last.filter((text) => text.includes('xk_live_')).length, 1);
  assert.equal(last.filter((text) => /taken/.test(text)).length, 1);
  assert.equal((await world.db`select app_id from applications`).length, 1);
});

test('beyond 30 messages a minute, one explanation is sent, and then nothing until the minute is over', async (t) => {
  const { scene, world, person } = await managementScene(t);
  for (let i = 0; i < 35; i++) await person.writes(BOT, `message ${i}`);
  await scene.answers();
  const answers = await answersTo(person);
  assert.equal(answers.length, 31);
  assert.equal(answers.at(-1), texts('bot.say.tooFast'));
  world.clock.advance({ minutes: 1 });
  assert.equal(await scene.says(person, '/start'), texts('bot.say.start'));
});

test('a person who blocked the bot or is deleted gets no answer and delays no others', async (t) => {
  const { scene, person } = await managementScene(t);
  await person.writes(BOT, '/start');
  await person.blocks(BOT);
  await scene.answers();
  assert.deepEqual(await answersTo(person), []);
  await person.unblocks(BOT);
  assert.equal(await scene.says(person, '/start'), texts('bot.say.start'));
});

test('the state of a dialogue is sealed', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await scene.saysAll(person, '/newbot Secret Project');
  const [row] = await world.db<{ state: Buffer }[]>`select state from dialogues`;
  assert.equal(row?.state.includes('Secret'), false);
});

test('a message wakes the worker, which also finds messages from before its start', async (t) => {
  const { world, person } = await managementScene(t);
  await person.writes(BOT, '/start');
  await using _worker = startManagementBotWorker(world, { pollMs: 600_000 });
  await eventually(async () => (await answersTo(person)).length === 1);
  await person.writes(BOT, '/help');
  await eventually(async () => (await answersTo(person)).length === 2);
});

test('the bot is created once, renamed by the settings, and keeps its former names', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const renamed = { ...world, config: { ...world.config, managementBotUsername: 'botfather_bot' } };
  await Promise.all([installManagementBot(renamed), installManagementBot(renamed)]);
  const person = await world.person();
  for (const username of ['managerbot', 'botfather_bot']) {
    const { body } = await person.calls('GET', `/api/chat/profiles?username=${username}`);
    assert.equal(body.data.username, 'botfather_bot');
  }
  await assert.rejects(world.bot({ username: 'managerbot' }), /username is taken/);
  await world.bot({ username: 'foreign_bot' });
  const stolen = { ...world, config: { ...world.config, managementBotUsername: 'foreign_bot' } };
  await assert.rejects(installManagementBot(stolen), /MANAGEMENT_BOT_USERNAME/);
});

test('every message gets exactly one answer', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await world.bot({ owner: person, username: 'one_bot' });
  await world.bot({ owner: person, username: 'two_bot' });
  const command = fc.constantFrom(...COMMANDS.map((command) => `/${command}`), '/start', '/nothing');
  const word = fc.constantFrom(
    '1',
    '2',
    'yes',
    'no',
    'done',
    'empty',
    'one_bot',
    '@two_bot',
    'a - b',
    'https://[',
    'https://a.example.com/',
  );
  const anything = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    .filter((text) => /\S/.test(text) && !/\0/.test(text) && text.isWellFormed());
  const message = fc.oneof(
    command,
    word,
    anything,
    fc.tuple(command, fc.oneof(word, anything)).map((parts) => parts.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
      for (const text of messages) {
        world.clock.advance({ seconds: 10 });
        const answer = await scene.says(person, text);
        assert.ok(answer.length > 0 && [...answer].length <= 4096);
        assert.notEqual(answer, texts('bot.say.failed'));
      }
      await world.db`delete from messages`;
      await world.db`update sessions set authenticated_at = ${world.clock.now()}, expires_at = ${world.clock.now() + 1e9}`;
    }),
    { numRuns: 30 },
  );
});
