import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { proveKeyring } from '#platform/crypto/master-keys.ts';
import type { Value } from '#platform/database/values.ts';
import { watchBackups } from '#platform/monitoring/last-backup.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { systemRandom } from '#platform/random.ts';
import { createSchema, listMissingMigrations } from '#platform/schema/migrate.ts';
import { opened, backupScene as scene } from '#testing/backup-scene.ts';
import { columnsOf } from '#testing/columns.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { eventually } from '#testing/waits.ts';
import { UsageError } from '../../sdk/cli/kit.ts';
import { checkBackup } from '../health/database.ts';

test('a backup under load holds every message acknowledged before it, and restores equal to the digest', async (t) => {
  const { world, run } = await scene(t);
  const bot = await world.bot({ webhookUrl: 'https://hooks.example.com/x' });
  const people = await Promise.all(['Ada', 'Bob', 'Cy'].map((name) => world.person(name)));
  const acknowledged: string[] = [];
  let isWriting = true;
  const writing = people.map(async (person) => {
    while (isWriting) acknowledged.push((await person.writes(bot, 'Hello')).msgId);
  });
  await eventually(() => acknowledged.length >= 60);
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
  const db = opened(t, empty);
  const rows = await db<{ msgId: string; body: Buffer; bodyKeyId: number }[]>`
    select msg_id, body, body_key_id from messages`;
  const present = new Set(rows.map(({ msgId }) => msgId));
  assert.deepEqual(
    before.filter((msgId) => !present.has(msgId)),
    [],
  );
  // A transaction is there whole: each message with its event.
  const [{ events } = { events: 0 }] = await db<{ events: number }[]>`
    select count(*)::integer as events from events where msg_id in (select msg_id from messages)`;
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
  await assert.rejects(run('backup'), /already exists$/);
  const whole = await readFile(file);
  const damagedAt = (place: number) => {
    const damaged = Buffer.from(whole);
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    return damaged;
  };
  const DAMAGED = /: the file is damaged or cut off$/;
  const cases: [string, Buffer, RegExp][] = [
    ['damaged at its end', damagedAt(whole.length - 30), DAMAGED],
    ['damaged in its first piece', damagedAt(300), DAMAGED],
    ['damaged in its salt', damagedAt(30), DAMAGED],
    ['cut', whole.subarray(0, whole.length - 100), DAMAGED],
    ['cut within its beginning', whole.subarray(0, 50), /: the file is cut off$/],
    ['longer', Buffer.concat([whole, Buffer.alloc(10)]), DAMAGED],
    ['foreign', Buffer.from('PGDMP something else that is long enough'), /was not encrypted by Parley/],
  ];
  await using empty = await createEmptyDatabase();
  const db = opened(t, empty);
  for (const [name, bytes, message] of cases) {
    const on = join(directory, name);
    await writeFile(on, bytes);
    await assert.rejects(run('restore', { on, settings: { DATABASE_URL: empty.url } }), message, name);
  }
  const settings = { DATABASE_URL: empty.url, PARLEY_BACKUP_PASSPHRASE: 'another passphrase' };
  await assert.rejects(run('restore', { settings }), /: the passphrase does not open the file$/);
  assert.deepEqual([...(await db`select tablename from pg_tables where schemaname = 'public'`)], []);
});

test('a backup of version 0.2 restores and goes on; one from before is told to go through 0.2', async (t) => {
  const { world, directory, run } = await scene(t);
  const first = '0000_encryption_keys.sql';
  const last = '0125_running_processes.sql';
  /** Backs up a database on which these migrations of version 0.2 have run. */
  const backUp = async (applied: string[]) => {
    await using database = await createEmptyDatabase();
    const db = opened(t, database);
    const create = (text: string, values: unknown[] = []) => db.unsafe(text, values as Value[]);
    await createSchema(create, { migrations: [first, last], now: 0 });
    await db`drop table server_processes`;
    await db`delete from schema_migrations where name <> all(${applied})`;
    await proveKeyring({ ...world, db });
    const on = join(directory, `after-${applied.length}.backup`);
    await run('backup', { on, settings: { DATABASE_URL: database.url } });
    return on;
  };
  await using empty = await createEmptyDatabase();
  const settings = { DATABASE_URL: empty.url };
  await assert.rejects(
    run('restore', { on: await backUp([first]), settings }),
    /^Error: the backup is of a version of Parley before 0\.2: restore it with version 0\.2, run that for a day/,
  );
  await run('restore', { on: await backUp([first, last]), settings });
  const db = opened(t, empty);
  assert.deepEqual(await listMissingMigrations(db), []);
  assert.equal((await db`select from encryption_keys`).count, 1);
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

test('--keep removes older backups of the same kind of name, and what a killed run left; nothing else', async (t) => {
  const { world, directory, run } = await scene(t);
  const folder = join(directory, 'backups');
  await mkdir(folder);
  const at = (name: string) => join(folder, name);
  await run('backup', { on: at('2026-11-20.backup') });
  const whole = await readFile(at('2026-11-20.backup'));
  await writeFile(at('2026-11-12.backup.unverified'), whole);
  await writeFile(at('2026-11-25.backup.unverified'), whole);
  for (const name of ['2026-9-21', '2026-11-19', '2026-11-30', 'before-upgrade-1'])
    await writeFile(at(`${name}.backup`), whole);
  for (const name of ['2026-11-18.backup', '2026-11-17.backup.part', '2026-11-16.backup.part', 'other.part'])
    await writeFile(at(name), 'not a backup');
  const longAgo = world.clock.now() / 1000 - 3600;
  await utimes(at('2026-11-17.backup.part'), longAgo, longAgo);
  const justNow = world.clock.now() / 1000;
  await utimes(at('2026-11-16.backup.part'), justNow, justNow);

  const { text } = await run('backup', { on: at('2026-11-22.backup'), options: { keep: '2' } });
  assert.match(text, /\nremoved 2026-9-21.backup, 2026-11-19.backup\n/);
  assert.deepEqual((await readdir(folder)).sort(), [
    '2026-11-16.backup.part',
    '2026-11-18.backup',
    '2026-11-20.backup',
    '2026-11-22.backup',
    '2026-11-25.backup.unverified',
    '2026-11-30.backup',
    'before-upgrade-1.backup',
    'other.part',
  ]);
  for (const [on, keep] of [
    [at('2026-11-23.backup'), '0'],
    [at('2026-11-23.backup'), 'all'],
    [at('parley.backup'), '2'],
  ] as const)
    await assert.rejects(run('backup', { on, options: { keep } }), UsageError);
});

test('the server knows how old the last good backup is', async (t) => {
  const { world, directory, run } = await scene(t);
  const metrics = new Metrics();
  watchBackups({ ...world, metrics });
  const age = async () => /^parley_backup_age_seconds (.*)$/m.exec(await metrics.render())?.[1];
  const finding = async () => columnsOf([await checkBackup(world, world.db)], 'state', 'what');
  assert.equal(await age(), '+Inf');
  assert.deepEqual(await finding(), [['warning', 'no backup yet']]);
  await run('backup');
  assert.equal(await age(), '0');
  assert.deepEqual(await finding(), [['ok', 'the latest is less than 1 h old']]);
  world.clock.advance({ seconds: 60 });
  assert.equal(await age(), '60');
  // A scratch directory that is none: the backup cannot be verified.
  const { TMPDIR = tmpdir() } = process.env;
  process.env['TMPDIR'] = join(directory, 'parley.backup');
  const failing = run('backup', { on: join(directory, 'second'), flags: ['verify'] });
  await assert.rejects(failing, /second.unverified is written, but could not be verified: ENOTDIR/);
  const again = (name: string) =>
    run('backup', { on: join(directory, name), flags: ['verify'], options: { keep: '2' } });
  for (const name of ['night-1', 'night-2']) await assert.rejects(again(name), /unverified is written/);
  process.env['TMPDIR'] = TMPDIR;
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('night')),
    ['night-2.unverified'],
    'with --keep, one of them stays',
  );
  assert.equal(await age(), '60', 'what is not known to be good does not count');
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('second')),
    ['second.unverified'],
  );
  await run('backup verify', { on: join(directory, 'second.unverified') });
});
