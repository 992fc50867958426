import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '#platform/database.ts';
import { formatKey } from '#platform/keyring.ts';
import { proveKeyring } from '#platform/master-keys.ts';
import { systemRandom } from '#platform/random.ts';
import { commandDeps } from '#testing/command-deps.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { createWorld } from '#testing/world.ts';
import { backupCommands } from './backup.ts';
import { type Outcome, UsageError } from './command.ts';

const PASSPHRASE = 'correct horse battery';

async function scene(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  t.after(() => rm(directory, { recursive: true }));
  const keys = join(directory, 'my.keys');
  await writeFile(keys, formatKey(1, systemRandom.bytes(32)), { mode: 0o600 });
  const world = await createWorld({ masterKeysFile: keys, dataDir: directory });
  t.after(() => world[Symbol.asyncDispose]());
  await proveKeyring(world);
  const environment = {
    DATABASE_URL: world.config.databaseUrl,
    MASTER_KEYS_FILE: keys,
    DATA_DIR: directory,
    PARLEY_BACKUP_PASSPHRASE: PASSPHRASE,
  };
  const file = join(directory, 'parley.backup');
  const run = (
    name: string,
    { flags = [], settings = {}, on = file }: { flags?: string[]; settings?: object; on?: string } = {},
  ) => {
    const deps = commandDeps(world, { ...environment, ...settings });
    const command = backupCommands.find((one) => one.name === name);
    return command?.run(deps, [on], {}, new Set(flags)) as Promise<Outcome>;
  };
  return { world, directory, file, run };
}

test('a backup under load holds every message acknowledged before it, and restores equal to the digest', async (t) => {
  const { world, run } = await scene(t);
  const bot = await world.bot({ webhookUrl: 'https://hooks.example.com/x' });
  const people = await Promise.all(['Ada', 'Bob', 'Cy'].map((name) => world.person(name)));
  const acknowledged: string[] = [];
  let isWriting = true;
  const writing = people.map(async (person) => {
    while (isWriting) acknowledged.push((await person.writes(bot, 'Hello')).msgId);
  });
  while (acknowledged.length < 60) await new Promise(setImmediate);
  const before = [...acknowledged];
  const taken = await run('backup');
  const during = acknowledged.length - before.length;
  isWriting = false;
  await Promise.all(writing);
  assert.ok(during > 0, 'messages were written while the backup was taken');

  await using empty = await createEmptyDatabase();
  const restored = await run('restore', { settings: { DATABASE_URL: empty.url } });
  type Data = { tables: { name: string; rows: number; sha256: string }[] };
  assert.deepEqual((restored.data as Data).tables, (taken.data as Data).tables);
  const db = openDatabase({ url: empty.url, poolSize: 1 });
  t.after(() => db.end({ timeout: 1 }));
  const rows = await db<{ msgId: string; body: Buffer; bodyKeyId: number }[]>`
    select msg_id, body, body_key_id from messages`;
  const present = new Set(rows.map(({ msgId }) => msgId));
  assert.deepEqual(
    before.filter((msgId) => !present.has(msgId)),
    [],
  );
  // What committed together is there together: each message with the event that it causes.
  const [{ events } = { events: 0 }] = await db<{ events: number }[]>`
    select count(*)::integer as events from deliveries where msg_id in (select msg_id from messages)`;
  assert.equal(events, rows.length);
  for (const { msgId, body, bodyKeyId } of rows) {
    const sealed = { keyId: bodyKeyId, ciphertext: body };
    assert.match(String(world.keyring.open({ table: 'messages', rowId: msgId }, sealed)), /Hello/);
  }
});

test('--verify restores into a scratch server; uploads and, if wanted, the keys go along', async (t) => {
  const { world, directory, file, run } = await scene(t);
  await (await world.person()).writes(await world.bot(), 'Hello');
  await mkdir(join(directory, 'media', 'ab'), { recursive: true });
  const picture = systemRandom.bytes(700_000);
  await writeFile(join(directory, 'media', 'ab', 'picture'), picture);
  const { text } = await run('backup', { flags: ['with-keys', 'verify'] });
  assert.match(text, /1 files, as of .*\nrestored into a scratch server: counts and digests are equal$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const content = await readFile(file);
  assert.equal(content.includes('webhook_secret'), false, 'nothing in it can be read');

  const elsewhere = join(directory, 'elsewhere');
  await mkdir(elsewhere);
  await using empty = await createEmptyDatabase();
  const settings = { DATABASE_URL: empty.url, DATA_DIR: elsewhere, MASTER_KEYS_FILE: join(elsewhere, 'k') };
  await run('restore', { settings });
  assert.deepEqual(await readFile(join(elsewhere, 'media', 'ab', 'picture')), picture);
  assert.equal(
    await readFile(join(elsewhere, 'k'), 'utf8'),
    await readFile(join(directory, 'my.keys'), 'utf8'),
  );
});

test('a backup that was changed, cut off, or has another passphrase restores nothing', async (t) => {
  const { world, directory, file, run } = await scene(t);
  await (await world.person()).writes(await world.bot(), 'Hello');
  await run('backup');
  await assert.rejects(run('backup'), /is there already$/);
  const whole = await readFile(file);
  const damaged = Buffer.from(whole);
  damaged[whole.length - 30] = (damaged[whole.length - 30] ?? 0) ^ 1;
  const cases: [string, Buffer, RegExp][] = [
    ['damaged', damaged, /damaged or cut off|passphrase does not open/],
    ['cut', whole.subarray(0, whole.length - 100), /damaged or cut off|passphrase does not open/],
    ['longer', Buffer.concat([whole, Buffer.alloc(10)]), /damaged|passphrase does not open|added/],
    ['foreign', Buffer.from('PGDMP something else that is long enough'), /no file that Parley has sealed/],
  ];
  await using empty = await createEmptyDatabase();
  const db = openDatabase({ url: empty.url, poolSize: 1 });
  for (const [name, bytes, message] of cases) {
    const on = join(directory, name);
    await writeFile(on, bytes);
    await assert.rejects(run('restore', { on, settings: { DATABASE_URL: empty.url } }), message, name);
  }
  const settings = { DATABASE_URL: empty.url, PARLEY_BACKUP_PASSPHRASE: 'another passphrase' };
  await assert.rejects(run('restore', { settings }), /passphrase does not open/);
  assert.deepEqual([...(await db`select tablename from pg_tables where schemaname = 'public'`)], []);
  await db.end({ timeout: 1 });
});

test('what must not be overwritten is refused, and a short passphrase is a usage error', async (t) => {
  const { run } = await scene(t);
  await run('backup');
  await assert.rejects(run('restore'), /^Error: the database is not empty: restore into a new one$/);
  await assert.rejects(
    run('backup verify', { settings: { PARLEY_BACKUP_PASSPHRASE: 'short' } }),
    (error) => error instanceof UsageError && /12 characters or more/.test(error.message),
  );
});
