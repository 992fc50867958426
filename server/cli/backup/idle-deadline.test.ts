import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { type Database, openDatabase } from '#platform/database.ts';
import { writeWhole } from '#platform/files/whole-file.ts';
import { listing, PASSPHRASE, backupScene as scene } from '#testing/backup-scene.ts';
import { commandDeps } from '#testing/installation.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import { keyFromPassphrase } from './sealed-stream.ts';
import { takeBackup } from './take.ts';

/** Nobody may read the messages until it is disposed of. */
async function lockMessages(url: string): Promise<{ db: Database } & AsyncDisposable> {
  const db = openDatabase({ url, poolSize: 2, ...PATIENT });
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
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'parley backup' and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

test('a backup in which nothing moves gives up, and leaves neither a file nor a session', async (t) => {
  const { world, directory, environment, file } = await scene(t);
  const url = environment.DATABASE_URL ?? '';
  await using held = await lockMessages(url);
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
  await assert.rejects(taking, /^Error: stopped: no data has moved for 3 s$/);
  assert.deepEqual(await listing(directory), before);
  await eventually(async () => (await waitingSessions(held.db)) === 0);
});

test('SIGTERM ends a backup that waits, and nothing is left behind', async (t) => {
  const { directory, environment, file } = await scene(t);
  await using held = await lockMessages(environment.DATABASE_URL ?? '');
  const before = await listing(directory);
  const backup = spawn(process.execPath, ['server/cli.ts', 'backup', file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(backup.stderr);
  await eventually(() => waitingSessions(held.db));
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.endsWith('.part')),
    ['parley.backup.part'],
  );
  backup.kill('SIGTERM');
  const [, signal] = await once(backup, 'exit');
  assert.deepEqual([signal, await said], ['SIGTERM', 'parley: stopped by SIGTERM\n']);
  assert.deepEqual(await listing(directory), before);
  await eventually(async () => (await waitingSessions(held.db)) === 0);
});

test('stopping does not wait until the passphrase is hashed', async () => {
  const salt = Buffer.alloc(16);
  const stopping = new AbortController();
  const ended: string[] = [];
  const hashing = keyFromPassphrase(PASSPHRASE, salt).then(() => ended.push('hashed'));
  const stopped = assert
    .rejects(keyFromPassphrase(PASSPHRASE, salt, stopping.signal), /told to stop/)
    .then(() => ended.push('stopped'));
  stopping.abort(new Error('told to stop'));
  await Promise.all([hashing, stopped]);
  assert.deepEqual(ended, ['stopped', 'hashed']);
});

test('SIGTERM to npm ends the backup that it runs', async (t) => {
  const { directory, environment, file } = await scene(t);
  await using held = await lockMessages(environment.DATABASE_URL ?? '');
  const before = await listing(directory);
  const npm = spawn('npm', ['run', '--silent', 'parley', '--', 'backup', file], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  await eventually(() => waitingSessions(held.db));
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await eventually(async () => (await waitingSessions(held.db)) === 0);
  await eventually(async () => !(await readdir(directory)).includes('parley.backup.part'));
  assert.deepEqual(await listing(directory), before);
});
