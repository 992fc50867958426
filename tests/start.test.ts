import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
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
import { eventually } from '#testing/waits.ts';
import { settingsOn, startParley } from './processes.ts';

/** `npm start` as typed by a newcomer, in a data directory of its own. */
async function npmStart(t: TestContext, settings: Record<string, string> = {}) {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-start-'));
  t.after(() => rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
  const environment = { ...process.env, PORT: '0', DATA_DIR: join(scratch, 'data'), ...settings };
  return { dataDir: environment.DATA_DIR, start: (more = {}) => run({ ...environment, ...more }) };
}

function run(environment: NodeJS.ProcessEnv) {
  const child = spawn('npm', ['start'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const seen = Promise.withResolvers<string>();
  const arrived = new EventEmitter();
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line);
      arrived.emit('line');
      const url = /ready at (\S+)/.exec(line)?.[1];
      if (url) seen.resolve(url);
    });
  }
  const exited = once(child, 'exit').then(() => lines);
  /** Resolves once a line matches. */
  const said = async (text: RegExp) => {
    while (!lines.some((line) => text.test(line))) await once(arrived, 'line');
  };
  return { child, said, ready: Promise.race([seen.promise, exited.then(() => undefined)]), exited };
}

async function stop(child: ChildProcess, exited: Promise<string[]>): Promise<string[]> {
  child.kill('SIGTERM');
  return exited;
}

test('npm start serves, SIGTERM drains and stops everything, and a second start finds its data', async (t) => {
  const { start } = await npmStart(t);
  const first = start();
  const url = await first.ready;
  assert.ok(url, 'it is ready');
  const signUp = await fetch(`${url}/api/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse', name: 'Ada' }),
  });
  assert.equal(signUp.status, 201);
  const lines = await stop(first.child, first.exited);
  assert.ok(
    lines.some((line) => /Links .* set PUBLIC_URL/.test(line)),
    lines.join('\n'),
  );
  for (const page of [/Chat +http:.+\/$/, /Console +http:.+\/console$/, /Docs +http:.+\/docs$/]) {
    assert.ok(
      lines.some((line) => page.test(line)),
      String(page),
    );
  }
  assert.ok(logOf(lines).every((line) => JSON.parse(line).level > 0));
  await gone(`${url}/health/live`);

  const second = start({ LOG_FORMAT: 'pretty' });
  const secondUrl = await second.ready;
  assert.ok(secondUrl, 'it is ready again');
  const signIn = await fetch(`${secondUrl}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
  });
  assert.equal(signIn.status, 200);
  const forPeople = await stop(second.child, second.exited);
  assert.deepEqual(logOf(forPeople), []);
  assert.ok(
    forPeople.some((line) => /^\[\d\d:\d\d:\d\d\] INFO: Server listening/.test(line)),
    forPeople.join('\n'),
  );
  await gone(`${secondUrl}/health/live`);
});

/** The lines that are objects. */
function logOf(lines: string[]): string[] {
  return lines.filter((line) => line.startsWith('{'));
}

test('an occupied port gives one clear line', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { start } = await npmStart(t, { PORT: String(port) });
  const lines = await start().exited;
  assert.ok(
    lines.includes(`parley: port ${port} on 127.0.0.1 is taken: stop what uses it or set PORT`),
    lines.join('\n'),
  );
});

test('an occupied METRICS_PORT, and an address of another machine, are named by their settings', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { start } = await npmStart(t, { METRICS_PORT: String(port) });
  assert.equal(
    (await start().exited).at(-1),
    `parley: port ${port} on 127.0.0.1 is taken: stop what uses it or set METRICS_PORT`,
  );
  assert.equal(
    (await start({ METRICS_PORT: '', HOST: '192.0.2.7' }).exited).at(-1),
    'parley: HOST is 192.0.2.7, which is no address of this machine',
  );
});

test('a role that may not create tables is told which right it lacks', async (t) => {
  await using database = await createEmptyDatabase();
  const admin = openDatabase({ url: database.url, poolSize: 1 });
  t.after(() => admin.end({ timeout: 1 }));
  await admin.unsafe('revoke create on schema public from pg_database_owner');
  const { start } = await npmStart(t, { DATABASE_URL: database.url, MASTER_KEYS: `1:${'0'.repeat(64)}` });
  assert.equal(
    (await start().exited).at(-1),
    'parley: permission denied for schema public: the role of DATABASE_URL needs the right to create in the schema public',
  );
});

test('a HOST that is unknown is not taken for the database', async (t) => {
  await using database = await createEmptyDatabase();
  const settings = {
    DATABASE_URL: database.url,
    MASTER_KEYS: `1:${'0'.repeat(64)}`,
    HOST: 'nowhere.invalid',
  };
  const { start } = await npmStart(t, settings);
  assert.doesNotMatch((await start().exited).at(-1) ?? '', /DATABASE_URL/);
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
  const child = spawn('sh', ['-c', 'ulimit -n 512 && exec "$0" server/main.ts', process.execPath], {
    env: {
      ...process.env,
      PORT: '0',
      ...settingsOn(database),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  for await (const line of createInterface(child.stdout))
    if (line.includes('files may be open')) {
      const { level, msg } = JSON.parse(line);
      assert.equal(level, 40);
      assert.match(msg, /^at most 512 files may be open: .*; raise LimitNOFILE, or "ulimit -n"$/);
      return;
    }
  assert.fail('it says nothing');
});

test('a start waits for the database, and one line says so, with the error of each of its hosts', async (t) => {
  const nowhere = {
    MASTER_KEYS: `1:${'0'.repeat(64)}`,
    DATABASE_URL: 'postgres://me:pw@127.0.0.1:1,127.0.0.1:2/x',
  };
  const { start } = await npmStart(t, nowhere);
  const { child, exited, said } = start();
  await said(/waiting for the database/);
  const lines = await stop(child, exited);
  const line =
    'waiting for the database: no host can be used: ' +
    '127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2';
  assert.deepEqual(
    lines.filter((one) => one.includes('the database')).map((one) => JSON.parse(one).msg),
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
  const { start, dataDir } = await npmStart(t);
  const first = start();
  assert.ok(await first.ready);
  const lines = await start().exited;
  const complaint = lines.find((line) => line.startsWith('parley: '));
  assert.match(
    complaint ?? '',
    new RegExp(`^parley: the data directory ${dataDir} is in use by another Parley \\(process \\d+\\)$`),
  );
  const url = await first.ready;
  await stop(first.child, first.exited);
  await gone(`${url}/health/live`);
});

test('all faults of the settings are reported at once, before anything starts', async (t) => {
  const { start } = await npmStart(t, { PORT: '70000', LOG_LEVEL: 'loud', PUBLIC_URL: 'nonsense' });
  const text = (await start().exited).join('\n');
  for (const name of ['PORT', 'LOG_LEVEL', 'PUBLIC_URL'])
    assert.match(text, new RegExp(`^ +${name} must `, 'm'));
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
