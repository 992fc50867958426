import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsIn } from '#platform/texts.ts';
import { keyIn, type ManagementScene, managementScene } from '#testing/management-scene.ts';
import { MANAGEMENT_BOT_ID } from './identity.ts';
import { removeDueSecrets } from './shown-secrets.ts';

const texts = textsIn('en');
const BOT = { accountId: MANAGEMENT_BOT_ID };

/** Whether the database contains a text unencrypted. */
async function isStored({ world: { db } }: ManagementScene, text: string): Promise<boolean> {
  const tables = await db<
    { tablename: string }[]
  >`select tablename from pg_tables where schemaname = 'public'`;
  const bytes = Buffer.from(text).toString('hex');
  for (const { tablename } of tables) {
    const rows = await db.unsafe(
      `select 1 from ${tablename} as one where one::text like '%${text}%' or one::text like '%${bytes}%' limit 1`,
    );
    if (rows.length > 0) return true;
  }
  return false;
}

test('a key is stored sealed while it is shown, and removed when its owner says so, on open pages, too', async (t) => {
  const { scene, world, person } = await managementScene(t);
  const changed: unknown[] = [];
  world.live.subscribe(person.accountId, (event) => {
    if (event.type === 'message.changed') changed.push(event.data);
  });
  const key = await scene.makesBot(person);
  assert.equal(await isStored(scene, 'weather_bot'), true);
  assert.equal(await isStored(scene, key.slice(8)), false);
  const shown = (await person.reads(BOT)).find(({ content }) => content?.includes(key));
  assert.ok(shown);
  assert.match(await scene.says(person, 'what now?'), /Answer 1 \(done\)/);
  assert.match(await scene.says(person, 'DONE'), /Deleted from our chat/);
  const after = (await person.reads(BOT)).find(({ msgId }) => msgId === shown.msgId);
  assert.deepEqual(after, { ...shown, content: texts('bot.say.secretNotice') });
  assert.deepEqual(changed, [after]);
  assert.equal((await world.db`select msg_id from shown_secrets`).length, 0);
  assert.equal(await scene.statusOf(key), 200);
  assert.match(await scene.says(person, 'done'), /no key or secret left/);
});

test('a key is removed after 10 minutes, even after a restart, however the conversation continued', async (t) => {
  const { scene, world, person } = await managementScene(t);
  const key = await scene.makesBot(person);
  await scene.says(person, '/mybots');
  world.clock.advance({ minutes: 9, seconds: 59 });
  await removeDueSecrets(world, { limit: 10 });
  const holds = async () => (await person.reads(BOT)).some(({ content }) => content?.includes(key));
  assert.equal(await holds(), true);
  world.clock.advance({ seconds: 1 });
  await Promise.all([removeDueSecrets(world, { limit: 10 }), removeDueSecrets(world, { limit: 10 })]);
  assert.equal(await holds(), false);
  assert.equal((await world.db`select msg_id from shown_secrets`).length, 0);
});

test('an answer that was sent twice does not confirm the key that it asked for', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await scene.says(person, '/newbot Weather');
  await person.writes(BOT, '1');
  await person.writes(BOT, '1');
  world.clock.advance({ seconds: 1 });
  await scene.answers();
  const [asked, made] = await person.reads(BOT);
  assert.equal(asked?.content, texts('bot.say.askDone'));
  assert.equal(await scene.statusOf(keyIn(made?.content ?? '')), 200);
  assert.match(await scene.says(person, '1'), /Deleted from our chat/);
});

test('two secrets in one conversation are removed at once', async (t) => {
  const { scene, person } = await managementScene(t);
  const first = await scene.makesBot(person);
  const second = keyIn(await scene.saysAll(person, '/token', '1'));
  await scene.says(person, '1');
  const read = await person.reads(BOT);
  assert.equal(
    read.some(({ content }) => content?.includes(first) || content?.includes(second)),
    false,
  );
  assert.equal(read.filter(({ content }) => content === texts('bot.say.secretNotice')).length, 2);
});

test('secrets are created only within 10 minutes of a sign-in in the session that asks', async (t) => {
  const { scene, world, person } = await managementScene(t);
  const key = await scene.makesBot(person);
  await scene.saysAll(person, 'done', '/token');
  world.clock.advance({ minutes: 10, seconds: 1 });
  assert.match(await scene.says(person, '1'), /within 10 minutes of a sign-in[\s\S]*\/console/);
  assert.match(await scene.says(person, '/newbot'), /within 10 minutes of a sign-in/);
  assert.equal(await scene.statusOf(key), 200);
  const now = world.clock.now();
  await world.db`update sessions set authenticated_at = ${now} where account_id = ${person.accountId}`;
  keyIn(await scene.saysAll(person, '/token', '1'));
  assert.equal(await scene.statusOf(key), 401);
});

test('bots and keys are limited per hour, and the refusal says when to try again', async (t) => {
  const { scene, world, person } = await managementScene(t);
  for (let i = 0; i < 5; i++) await scene.makesBot(person, `weather_${i}_bot`);
  world.clock.advance({ minutes: 5 });
  assert.match(await scene.says(person, '/newbot'), /more than 5 new bots in an hour\. Try again in 55 min/);
  for (let i = 0; i < 10; i++) {
    await scene.saysAll(person, '/token weather_0_bot', '1');
    if (i === 4) world.clock.advance({ minutes: 1 });
  }
  assert.match(await scene.says(person, '/token weather_0_bot'), /more than 10 new keys in an hour/);
});
