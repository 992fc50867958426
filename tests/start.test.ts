import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '#platform/database.ts';
import { createEmptyDatabase, createTestDatabase } from '#testing/database.ts';
import { listening } from '#testing/free-port.ts';
import { eventually } from '#testing/waits.ts';
import { settingsOn, startParley } from './processes.ts';

type Started = ReturnType<typeof run>;

/** Starts servers in a data directory of their own, until the test has ended. */
async function starts(t: TestContext, settings: NodeJS.ProcessEnv = {}) {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-start-'));
  t.after(() => rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
  const dataDir = join(scratch, 'data');
  const start = (more: NodeJS.ProcessEnv = {}, command = [process.execPath, 'server/main.ts']) =>
    run(command, { PORT: '0', DATA_DIR: dataDir, ...settings, ...more }, t);
  return { dataDir, start, npmStart: (more?: NodeJS.ProcessEnv) => start(more, ['npm', 'start']) };
}

function run([program = '', ...args]: string[], environment: NodeJS.ProcessEnv, t: TestContext) {
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const arrived = new EventEmitter();
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line);
      arrived.emit('line');
    });
  }
  const exited = once(child, 'exit').then(() => lines);
  /** Resolves with the first line that matches. */
  const said = async (text: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = lines.map((line) => text.exec(line)).find((match) => match !== null);
      if (found) return found;
      const isOver = await Promise.race([once(arrived, 'line').then(() => false), exited.then(() => true)]);
      if (isOver) assert.fail(`it ended without ${text}:\n${lines.join('\n')}`);
    }
  };
  const ready = async () => (await said(/ready at (\S+)/))[1] ?? '';
  const stop = async () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { said, ready, stop, exited };
}

/** A server that is only to say why it does not start. */
async function lastLineOf({ exited }: Started): Promise<string | undefined> {
  return (await exited).at(-1);
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

function expectLine(lines: string[], text: RegExp): void {
  assert.ok(
    lines.some((line) => text.test(line)),
    `${text} in:\n${lines.join('\n')}`,
  );
}

test('npm start serves, SIGTERM drains and stops everything, and a second start finds its data', async (t) => {
  const { npmStart } = await starts(t);
  const first = npmStart();
  const url = await first.ready();
  const account = { email: 'ada@example.com', password: 'correct horse' };
  assert.equal((await post(`${url}/api/auth/sign-up`, { ...account, name: 'Ada' })).status, 201);
  const lines = await first.stop();
  expectLine(lines, /Links .* set PUBLIC_URL/);
  for (const page of [/Chat +http:.+\/$/, /Console +http:.+\/console$/, /Docs +http:.+\/docs$/])
    expectLine(lines, page);
  assert.ok(logOf(lines).every((line) => JSON.parse(line).level > 0));
  await gone(`${url}/health/live`);

  const second = npmStart({ LOG_FORMAT: 'pretty' });
  const secondUrl = await second.ready();
  assert.equal((await post(`${secondUrl}/api/auth/sign-in`, account)).status, 200);
  const forPeople = await second.stop();
  assert.deepEqual(logOf(forPeople), []);
  expectLine(forPeople, /^\[\d\d:\d\d:\d\d\] INFO: Server listening/);
  await gone(`${secondUrl}/health/live`);
});

/** The lines that are objects. */
function logOf(lines: string[]): string[] {
  return lines.filter((line) => line.startsWith('{'));
}

test('an occupied port, and an address of another machine, are named by their settings', async (t) => {
  const taken = createServer();
  t.after(() => taken.close());
  const port = await listening(taken);
  const { start } = await starts(t);
  for (const setting of ['PORT', 'METRICS_PORT'])
    expectLine(
      await start({ [setting]: String(port) }).exited,
      new RegExp(`^parley: port ${port} on 127.0.0.1 is taken: stop what uses it or set ${setting}$`),
    );
  assert.equal(
    await lastLineOf(start({ HOST: '192.0.2.7' })),
    'parley: HOST is 192.0.2.7, which is no address of this machine',
  );
});

test('a role that may not create tables is told which right it lacks', async (t) => {
  await using database = await createEmptyDatabase();
  const admin = openDatabase({ url: database.url, poolSize: 1 });
  t.after(() => admin.end({ timeout: 1 }));
  await admin.unsafe('revoke create on schema public from pg_database_owner');
  const { start } = await starts(t, settingsOn(database));
  assert.equal(
    await lastLineOf(start()),
    'parley: permission denied for schema public: the role of DATABASE_URL needs the right to create in the schema public',
  );
});

test('a HOST that is unknown is not taken for the database', async (t) => {
  await using database = await createEmptyDatabase();
  const { start } = await starts(t, { ...settingsOn(database), HOST: 'nowhere.invalid' });
  assert.match((await lastLineOf(start())) ?? '', /^parley: (?!.*DATABASE_URL).*nowhere\.invalid/);
});

test('with LOG_FORMAT=json, standard output has nothing but its objects', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-start-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = text(child.stdout);
  for await (const line of createInterface(child.stderr)) if (/is ready at/.test(line)) break;
  child.stderr.resume();
  child.kill('SIGTERM');
  for (const line of (await output).trim().split('\n')) assert.ok(JSON.parse(line).level > 0, line);
});

test('a server whose log does not fit on its disk serves, and stops when it is told to', {
  skip: !existsSync('/dev/full') && 'no /dev/full',
}, async (t) => {
  await using database = await createTestDatabase();
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      LOG_FORMAT: 'json',
      ...settingsOn(database),
    },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let url: string | undefined;
  for await (const line of createInterface(child.stderr as Readable)) {
    url = /is ready at (\S+)/.exec(line)?.[1];
    if (url) break;
  }
  (child.stderr as Readable).resume();
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('a limit of open files that only a few clients fit into is told', async (t) => {
  await using database = await createTestDatabase();
  const { start } = await starts(t, settingsOn(database));
  const limited = start({}, ['sh', '-c', 'ulimit -n 512 && exec "$0" server/main.ts', process.execPath]);
  const { level, msg } = JSON.parse((await limited.said(/files may be open/)).input);
  assert.equal(level, 40);
  assert.match(msg, /^at most 512 files may be open: .*; raise LimitNOFILE, or "ulimit -n"$/);
});

test('a start waits for the database, and one line says so, with the error of each of its hosts', async (t) => {
  const { start } = await starts(t, settingsOn({ url: 'postgres://me:pw@127.0.0.1:1,127.0.0.1:2/x' }));
  const { said, stop } = start();
  await said(/waiting for the database/);
  const line =
    'waiting for the database: no host can be used: ' +
    '127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2';
  assert.deepEqual(
    (await stop()).filter((one) => one.includes('the database')).map((one) => JSON.parse(one).msg),
    [line],
  );
});

test('a start writes nothing that is there already: it succeeds on a database that takes no writes', async (t) => {
  await using database = await createTestDatabase();
  const settings = settingsOn(database);
  await (await startParley(settings))[Symbol.asyncDispose]();
  const admin = openDatabase({ url: database.url, poolSize: 1 });
  t.after(() => admin.end({ timeout: 1 }));
  const name = new URL(database.url).pathname.slice(1);
  await admin.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await using server = await startParley(settings);
  assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
  await admin.begin(async (tx) => {
    await tx`set transaction read write`;
    await tx.unsafe(`alter database ${name} set default_transaction_read_only = off`);
  });
});

test('a data directory that is not writable gives one clear line', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-start-'));
  t.after(() => rm(dataDir, { recursive: true }));
  await chmod(dataDir, 0o555);
  // Root may write everywhere.
  const asSomebody = process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 };
  const child = spawn(process.execPath, ['server/cli.ts', 'start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...asSomebody,
  });
  t.after(() => child.kill());
  assert.equal(
    await text(child.stderr),
    `parley: ${dataDir}/master.keys may not be written by this user: chown DATA_DIR to the user who runs Parley, or set another\n`,
  );
});

test('a data directory used by another Parley gives one clear line', async (t) => {
  const { start, dataDir } = await starts(t);
  const first = start();
  await first.ready();
  expectLine(
    await start().exited,
    new RegExp(`^parley: the data directory ${dataDir} is in use by another Parley \\(process \\d+\\)$`),
  );
  await first.stop();
});

test('all faults of the settings are reported at once, before anything starts', async (t) => {
  const { start } = await starts(t, { PORT: '70000', LOG_LEVEL: 'loud', PUBLIC_URL: 'nonsense' });
  const lines = await start().exited;
  for (const name of ['PORT', 'LOG_LEVEL', 'PUBLIC_URL']) expectLine(lines, new RegExp(`^ +${name} must `));
});

/** The server outlives npm while it drains. */
async function gone(url: string): Promise<void> {
  await eventually(() =>
    fetch(url).then(
      () => false,
      () => true,
    ),
  );
}
