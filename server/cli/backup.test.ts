import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { insertMedia, updateUsed } from '#features/media/queries.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { formatKey } from '#platform/keyring.ts';
import { watchBackups } from '#platform/last-backup.ts';
import { proveKeyring } from '#platform/master-keys.ts';
import { Metrics } from '#platform/metrics.ts';
import { systemRandom } from '#platform/random.ts';
import { writeWhole } from '#platform/whole-file.ts';
import { commandDeps } from '#testing/command-deps.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { createWorld } from '#testing/world.ts';
import { takeBackup } from './backup/take.ts';
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
    {
      flags = [],
      options = {},
      settings = {},
      on = file,
    }: { flags?: string[]; options?: Record<string, string>; settings?: object; on?: string } = {},
  ) => {
    const deps = commandDeps(world, { ...environment, ...settings });
    const command = backupCommands.find((one) => one.name === name);
    return command?.run(deps, [on], options, new Set(flags)) as Promise<Outcome>;
  };
  return { world, directory, environment, file, run };
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

/** Every file and folder below, with its size and rights. */
async function listing(directory: string): Promise<string[]> {
  const paths = [
    directory,
    ...(await readdir(directory, { recursive: true })).map((path) => join(directory, path)),
  ];
  const lines = paths.sort().map(async (path) => {
    const { mode, uid, gid, size } = await lstat(path);
    return `${path} ${mode.toString(8)} ${uid}:${gid} ${size}`;
  });
  return Promise.all(lines);
}

/** Nobody may read the messages until it is disposed of. */
async function holdMessages(url: string): Promise<{ db: Database } & AsyncDisposable> {
  const db = openDatabase({ url, poolSize: 2 });
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.begin(async (tx) => {
    await tx`lock table messages in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return {
    db,
    async [Symbol.asyncDispose]() {
      released.resolve();
      await holding;
      await db.end({ timeout: 1 });
    },
  };
}

async function waitingSessions(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from pg_stat_activity where application_name = 'parley backup' and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

test('a backup in which nothing moves gives up, and leaves neither a file nor a session', async (t) => {
  const { world, directory, environment, file } = await scene(t);
  const url = environment.DATABASE_URL ?? '';
  await using held = await holdMessages(url);
  const before = await listing(directory);
  const taking = writeWhole(file, (handle) =>
    takeBackup(handle, {
      ...commandDeps(world, environment),
      url,
      passphrase: PASSPHRASE,
      mediaDir: join(directory, 'media'),
      s3: undefined,
      keys: undefined,
      idleMs: 3_000,
    }),
  );
  await assert.rejects(taking, /^Error: gave up: no data has moved for 3 s$/);
  assert.deepEqual(await listing(directory), before);
  while ((await waitingSessions(held.db)) > 0) await new Promise(setImmediate);
});

test('SIGTERM ends a backup that waits, and nothing is left behind', async (t) => {
  const { directory, environment, file } = await scene(t);
  await using held = await holdMessages(environment.DATABASE_URL ?? '');
  const before = await listing(directory);
  const backup = spawn(process.execPath, ['server/cli.ts', 'backup', file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(backup.stderr);
  while ((await waitingSessions(held.db)) === 0) await new Promise(setImmediate);
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.endsWith('.part')),
    ['parley.backup.part'],
  );
  backup.kill('SIGTERM');
  const [, signal] = await once(backup, 'exit');
  assert.deepEqual([signal, await said], ['SIGTERM', 'parley: stopped by SIGTERM\n']);
  assert.deepEqual(await listing(directory), before);
  while ((await waitingSessions(held.db)) > 0) await new Promise(setImmediate);
});

test('a restore that is refused or fails leaves the folder and the database as it found them', async (t) => {
  const { world, directory, environment, file, run } = await scene(t);
  await (await world.person()).writes(await world.bot(), 'Hello');
  await mkdir(join(directory, 'media', 'ab'), { recursive: true });
  await writeFile(join(directory, 'media', 'ab', 'picture'), systemRandom.bytes(900_000));
  await run('backup', { flags: ['with-keys'] });
  // Found out late: after the tables, amid the uploads.
  const damaged = await readFile(file);
  damaged[damaged.length - 100] = (damaged[damaged.length - 100] ?? 0) ^ 1;
  await writeFile(join(directory, 'damaged'), damaged);
  const otherKeys = join(directory, 'other.keys');
  await writeFile(otherKeys, formatKey(1, systemRandom.bytes(32)), { mode: 0o600 });

  await using empty = await createEmptyDatabase();
  const target = await mkdtemp(join(tmpdir(), 'parley-restore-'));
  t.after(() => rm(target, { recursive: true, force: true }));
  await mkdir(join(target, 'occupied', 'postgres'), { recursive: true });
  await mkdir(join(target, 'uploads', 'media', 'ab'), { recursive: true });
  await writeFile(join(target, 'uploads', 'media', 'ab', 'theirs'), 'theirs');
  await mkdir(join(target, 'empty'), { mode: 0o700 });
  await mkdir(join(target, 'beside'));
  await writeFile(join(target, 'beside', 'notes'), 'mine');
  const embedded = { DATABASE_URL: '', MASTER_KEYS_FILE: '' };
  const external = { DATABASE_URL: empty.url };
  const cases: [string, RegExp, object][] = [
    ['empty', /passphrase does not open/, { ...embedded, PARLEY_BACKUP_PASSPHRASE: 'another passphrase' }],
    ['new/deep', /passphrase does not open/, { ...embedded, PARLEY_BACKUP_PASSPHRASE: 'another passphrase' }],
    ['occupied', /occupied holds a database already: restore into a new folder$/, embedded],
    ['uploads', /media holds uploads already: restore into a new folder$/, embedded],
    ['uploads', /media holds uploads already/, external],
    ['beside', /^Error: the database is not empty/, { DATABASE_URL: environment.DATABASE_URL }],
    ['empty', /damaged or cut off/, { ...embedded, on: 'damaged' }],
    ['new/deep', /damaged or cut off/, { ...embedded, on: 'damaged' }],
    ['beside', /damaged or cut off/, { ...external, MASTER_KEYS_FILE: '', on: 'damaged' }],
    ['beside', /encryption key 1 is not the one/, { ...external, MASTER_KEYS_FILE: otherKeys }],
  ];
  const before = await listing(target);
  for (const [place, message, { on = 'parley.backup', ...settings }] of cases as [
    string,
    RegExp,
    { on?: string },
  ][]) {
    const restoring = run('restore', {
      on: join(directory, on),
      settings: { ...settings, DATA_DIR: join(target, place) },
    });
    await assert.rejects(restoring, message, `${place} ${message}`);
    assert.deepEqual(await listing(target), before, `${place} ${message}`);
  }
  const db = openDatabase({ url: empty.url, poolSize: 1 });
  t.after(() => db.end({ timeout: 1 }));
  assert.deepEqual([...(await db`select tablename from pg_tables where schemaname = 'public'`)], []);

  const whole = await run('restore', { settings: { ...embedded, DATA_DIR: join(target, 'new', 'deep') } });
  assert.match(
    whole.text,
    /^restored \d+ rows in \d+ tables and 1 files.*\nthe encryption keys are in .*deep\/master.keys$/,
  );
});

test('uploads in an object store are named, with how to copy them, by the backup and by the restore', async (t) => {
  const { world, directory, run } = await scene(t);
  const { accountId } = await world.person();
  const sealed = world.keyring.seal({ table: 'media', rowId: 'm1' }, Buffer.from('cat.png'));
  await world.db.begin((tx) =>
    insertMedia(tx, {
      mediaId: 'm1',
      ownerId: accountId,
      kind: 'image',
      contentType: 'image/png',
      fileName: sealed.ciphertext,
      fileNameKeyId: sealed.keyId,
      size: 9,
      createdAt: world.clock.now(),
    }),
  );
  await world.db.begin((tx) => updateUsed(tx, 'm1', world.clock.now()));
  await assert.rejects(
    run('backup'),
    /^Error: people use 1 uploads, and there is no .*media: set DATA_DIR, or S3_\*, as the server has them$/,
  );
  await mkdir(join(directory, 'media'));
  const incomplete = await run('backup', { on: join(directory, 'incomplete') });
  assert.match(incomplete.text, /\n1 uploads that people use have no file in .*media\n/);

  const settings = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'uploads',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const { text, data } = await run('backup', { settings });
  const where = '1 uploads are in the bucket uploads of https://s3.example.com';
  const address = 's3://uploads/media --endpoint-url https://s3.example.com';
  assert.ok(text.includes(`\n${where}, not in it; copy them: aws s3 sync ${address} <folder>\n`), text);
  const store = { endpoint: 'https://s3.example.com', bucket: 'uploads', files: 1 };
  assert.deepEqual((data as { store: object }).store, store);
  await using empty = await createEmptyDatabase();
  const restored = await run('restore', {
    settings: { ...settings, DATABASE_URL: empty.url, DATA_DIR: join(directory, 'elsewhere') },
  });
  assert.ok(
    restored.text.endsWith(`\n${where}; copied ones go back: aws s3 sync <folder> ${address}`),
    restored.text,
  );
});

test('--keep removes older backups of the same kind of name, and what a killed run left; nothing else', async (t) => {
  const { world, directory, run } = await scene(t);
  const folder = join(directory, 'backups');
  await mkdir(folder);
  const at = (name: string) => join(folder, name);
  await run('backup', { on: at('2026-11-20.backup') });
  const whole = await readFile(at('2026-11-20.backup'));
  for (const name of [
    '2026-9-21.backup',
    '2026-11-19.backup',
    '2026-11-30.backup',
    'before-upgrade-1.backup',
  ])
    await writeFile(at(name), whole);
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
  const age = async () => Number(/^parley_backup_age_seconds (.*)$/m.exec(await metrics.render())?.[1]);
  await world.db`update schema_migrations set applied_at = ${world.clock.now()}`;
  world.clock.advance({ hours: 30 });
  assert.equal(await age(), 30 * 3600, 'without any, since the first start');
  await run('backup');
  assert.equal(await age(), 0);
  world.clock.advance({ seconds: 60 });
  assert.equal(await age(), 60);
  // A scratch directory that is none: the backup cannot be verified.
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = join(directory, 'parley.backup');
  const failing = run('backup', { on: join(directory, 'second'), flags: ['verify'] });
  await assert.rejects(failing, /second.unverified is written, but could not be verified: ENOTDIR/);
  process.env['TMPDIR'] = TMPDIR;
  assert.equal(await age(), 60, 'what is not known to be good does not count');
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('second')),
    ['second.unverified'],
  );
  await run('backup verify', { on: join(directory, 'second.unverified') });
});
