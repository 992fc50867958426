import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { installServiceAccount } from '#features/accounts/index.ts';
import { lockAccount } from '#features/accounts/queries.ts';
import { createApplication } from '#features/applications/create.ts';
import { findApplication } from '#features/applications/queries.ts';
import { systemClock } from '#platform/clock.ts';
import { formatKey, KEY_BYTES, parseKeys } from '#platform/crypto/keyring.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { lookForNotedTopics } from '#platform/live/noted-topics.ts';
import type { Platform } from '#platform/platform.ts';
import { systemRandom } from '#platform/random.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { Connection } from '#testing/connection.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { listen } from '#testing/event-source.ts';
import { createTestPlatform } from '#testing/platform.ts';
import { runCommandLine } from './cli/command-line.ts';

const CLI = new URL('./cli.ts', import.meta.url).pathname;
const SUSPEND_HELP = `Usage: npm run parley -- admin suspend <appId> [options]

Refuse the API key and tokens of an application until it is unsuspended.

  --reason <value>   recorded in the operators' trail
  --json             print as JSON
  --help             print this
`;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The program itself, as run in a shell. */
function parley(args: string[], environment: Record<string, string | undefined> = {}): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Runs a command in this process. */
async function typed(args: string[], environment: Record<string, string | undefined> = {}): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommandLine(args, {
    environment,
    print: (line) => void out.push(`${line}\n`),
    printError: (line) => void err.push(`${line}\n`),
    signal: new AbortController().signal,
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
}

async function newApplication(platform: Platform): Promise<string> {
  const accountId = platform.newId('usr');
  await platform.db`
    insert into accounts (account_id, is_bot, name, created_at) values (${accountId}, false, 'Ada', 0)`;
  return (await createApplication({ ...platform, accounts: { lock: lockAccount } }, accountId, 'Weather'))
    .appId;
}

test('--help prints every command in a line, and each has its own help', async () => {
  const { code, stdout: help, stderr } = await parley(['--help']);
  assert.deepEqual([code, stderr], [0, '']);
  const [usage, commands = '', notes] = help.split('\n\n');
  assert.equal(usage, 'Usage: npm run parley -- <command>');
  assert.equal(
    notes,
    `Every command has --help, which lists its options, and --json, which prints the result as JSON.
Exit codes: 0 done; 1 failed, or a fault was found; 2 wrong usage.
Commands use the database in DATABASE_URL, or the embedded one in DATA_DIR (default ./data).
`,
  );
  const lines = commands.split('\n');
  assert.ok(lines.length > 50);
  for (const line of [
    '  start                                            run the server until it is stopped',
    '  admin quota <appId> <requestsPerMinute>          change how many requests a minute an application may make to each endpoint',
  ])
    assert.ok(lines.includes(line), line);
  await Promise.all(
    lines.map(async (line) => {
      const [, call = '', about = ''] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? assert.fail(line);
      const own = await typed([...call.replace(/ [<[].*$/, '').split(' '), '--help']);
      assert.deepEqual([own.code, own.stderr], [0, ''], call);
      assert.ok(own.stdout.startsWith(`Usage: npm run parley -- ${call}`), own.stdout);
      assert.ok(own.stdout.toLowerCase().includes(`\n\n${about.toLowerCase()}.\n`), own.stdout);
      assert.match(own.stdout, / {2}--json/);
    }),
  );
  assert.deepEqual(await parley(['admin', 'suspend', '-h']), { code: 0, stdout: SUSPEND_HELP, stderr: '' });
});

test('an unknown command is exit code 2, one line, and where the matching help is', async () => {
  const cases: [string[], RegExp][] = [
    [[], /^no command given$/],
    [['admin'], /^admin needs one of: applications, .*suspend, unsuspend, .*maintenance$/],
    [['keys'], /^keys needs one of: new, rotate, retire, rotate-signing$/],
    [['admin', 'elevate', 'x'], /^there is no command "admin elevate x"$/],
    [['admin', 'suspend'], /^admin suspend takes <appId>$/],
    [['admin', 'suspend', 'a', 'b'], /^admin suspend takes <appId>$/],
    [['admin', 'quota', 'a'], /^admin quota takes <appId> <requestsPerMinute>$/],
    [['admin', 'suspnd', 'a'], /did you mean "admin suspend"\?$/],
    [['keys', 'new', '7'], /^keys new takes nothing else$/],
    [['admin', 'quota', 'a', '0'], /^requestsPerMinute must be a whole number from 1 to 1000000000$/],
    [['admin', 'quota', 'a', '1000000001'], /^requestsPerMinute must be a whole number/],
    [['admin', 'quota', 'a', '1.5'], /^requestsPerMinute must be a whole number/],
    [['doctor', '--rows', '-1'], /^Option '--rows' argument is ambiguous\. .*use '--rows=-XYZ'\.$/],
    [['--force'], /^there is no option "--force"$/],
    [['keys', 'new', '--jsn'], /^there is no option "--jsn"; did you mean "--json"\?$/],
  ];
  const { code, stderr } = await parley([]);
  assert.equal(code, 2);
  assert.equal(stderr, 'parley: no command given\nSee "npm run parley -- --help".\n');
  await Promise.all(
    cases.map(async ([args, line]) => {
      const { code, stdout, stderr } = await typed(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      const [first = '', where = '', ...more] = stderr.trimEnd().split('\n');
      assert.match(first.replace('parley: ', ''), line);
      assert.match(where, /^See "npm run parley -- .*--help"\.$/);
      assert.deepEqual(more, []);
    }),
  );
});

test('suspend, unsuspend and quota work on the database of DATABASE_URL', async () => {
  await using platform = await createTestPlatform();
  const environment = { DATABASE_URL: platform.config.databaseUrl };
  const appId = await newApplication(platform);
  const look = async () => {
    const row = await findApplication(platform.db, appId);
    return [row?.state, row?.requestsPerMinute];
  };
  const steps: [string[], string, unknown[]][] = [
    [['suspend', appId], `${appId} is suspended`, ['suspended', 60]],
    [['unsuspend', appId], `${appId} is active again`, ['active', 60]],
    [['quota', appId, '600'], `${appId} may make 600 requests per minute to each endpoint`, ['active', 600]],
  ];
  for (const [args, line, state] of steps) {
    assert.deepEqual(await parley(['admin', ...args], environment), {
      code: 0,
      stdout: `${line}\n`,
      stderr: '',
    });
    assert.deepEqual(await look(), state);
  }
});

test('people are made operators, suspended and unsuspended, and the trail records who did it', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const environment = { DATABASE_URL: scene.world.config.databaseUrl };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await typed(['admin', ...args], environment);
    return code === 0 ? stdout : stderr.split('\n', 1)[0];
  };
  assert.equal(await run('operators', 'add', ada.email), `${ada.email} is an operator\n`);
  assert.equal(await run('operators', 'add', ada.email), 'parley: this person is already an operator');
  assert.match((await run('operators')) ?? '', new RegExp(`^${ada.accountId} .* Ada\n$`));
  assert.equal(await run('operators', 'remove', ada.email), `${ada.email} is no longer an operator\n`);
  assert.equal(await run('suspend-person', ada.email), 'parley: --reason is required');
  assert.equal(
    await run('suspend-person', ada.email, '--reason', 'spam'),
    `${ada.email} is suspended until it is lifted\n`,
  );
  assert.equal((await ada.calls('GET', '/session')).status, 401);
  const refused = await ada.calls('POST', '/sign-in', { email: ada.email, password: PASSWORD });
  assert.equal(refused.body.message, 'this account is suspended: spam');
  assert.equal(await run('unsuspend-person', ada.email), `${ada.email} can sign in again\n`);
  assert.equal(
    await run('limits', ada.email, '--messages-per-minute', '5', '--groups-per-day', '0'),
    `${ada.email}: messagesPerMinute 5, groupsPerDay 0\n`,
  );
  assert.match((await run('limits', ada.email, '--groups-per-day', 'many')) ?? '', /must be a whole number/);
  assert.equal(await run('limits', ada.email), `${ada.email}: the limits of the server\n`);
  assert.match((await run('end-sessions', ada.email)) ?? '', /^ended \d sessions/);
  const reset = /^the new password of .* is ([A-Za-z0-9_-]{20})\n$/.exec(
    (await run('reset-password', ada.email)) ?? '',
  );
  await ada.gets('POST', '/sign-in', { email: ada.email, password: reset?.[1] });
  const bob = await scene.holder('Bob');
  await scene.enrols(bob);
  assert.equal(await run('disable-two-factor', bob.email), `two-factor sign-in is off for ${bob.email}\n`);
  const { acts } = await scene.world.operators.listActs();
  assert.deepEqual(
    columnsOf(acts, 'act', 'operator'),
    [
      'person.two-factor-disabled',
      'person.password-reset',
      'person.signed-out',
      'person.limits-changed',
      'person.limits-changed',
      'person.suspension-lifted',
      'person.suspended',
      'operator.removed',
      'operator.added',
    ].map((act) => [act, undefined]),
  );
  const shown = (await run('acts')) ?? '';
  assert.equal(shown.split('\n').length, 10);
  assert.match(shown, /groupsPerDay: 0 → unset, messagesPerMinute: 5 → unset$/m);
});

test('open pages are notified of changes by the command line, and those of a suspended person end', async () => {
  await using scene = await createAccountScene();
  const { world } = scene;
  // The command line uses the system clock.
  const look = lookForNotedTopics({ ...world, clock: systemClock });
  await look();
  const [ada, bob] = [await scene.holder(), await scene.holder('Bob')];
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const opens = async ({ cookie = '' }: { cookie?: string | undefined }) => {
    const page = await listen(`${origin}/api/chat/live`, { cookie });
    assert.equal((await page.next())?.type, 'ready');
    return page;
  };
  await using adasPage = await opens(ada);
  await using bobsPage = await opens(bob);
  const environment = { DATABASE_URL: world.config.databaseUrl };
  const { code } = await typed(['admin', 'suspend-person', ada.email, '--reason', 'spam'], environment);
  assert.equal(code, 0);
  await look();
  assert.equal((await adasPage.next())?.type, 'ready', 'it is to read again');
  assert.equal(await adasPage.next(), undefined);
  world.live.publish(bob.accountId, { type: 'profile.changed', data: {} });
  assert.equal((await bobsPage.next())?.type, 'profile.changed', 'nothing before');
});

test('announcements are sent, and maintenance is turned on and off, by the services of the console', async () => {
  await using scene = await createAccountScene();
  const { world } = scene;
  await scene.holder();
  const environment = { DATABASE_URL: world.config.databaseUrl };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await typed(['admin', ...args], environment);
    return code === 0 ? stdout.trim() : stderr.split('\n', 1)[0];
  };
  assert.equal(await run('announce', '--line'), 'parley: --en or --de is required');
  assert.match((await run('announce', '--en', 'x')) ?? '', /^parley: an announcement is a line/);
  const announcementId = (await run('announce', '--de', 'Hallo', '--line', '--message', '--days', '2')) ?? '';
  assert.match(announcementId, /^ann_/);
  assert.match(
    (await run('announcements')) ?? '',
    new RegExp(`^${announcementId}  \\S+  shown  0 of 1 people told  Hallo$`),
  );
  assert.equal(await run('announcements', 'end', announcementId), 'ended');
  assert.match(
    (await run('announcements', 'end', announcementId)) ?? '',
    /^parley: there is no such announcement/,
  );
  assert.equal(await run('maintenance', 'off'), 'parley: there is no maintenance');
  assert.match((await run('maintenance', 'on', 'soon')) ?? '', /<minutes> must be a whole number/);
  assert.match(
    (await run('maintenance', 'on', '30', '--en', 'We move.')) ?? '',
    /^maintenance is in progress, expected to end at 20/,
  );
  assert.match((await run('maintenance', 'on', '45')) ?? '', /^maintenance is in progress/);
  assert.equal(await run('maintenance', 'off'), 'maintenance has ended');
  const { acts } = await world.operators.listActs();
  assert.deepEqual(columnOf(acts, 'act'), [
    'maintenance.ended',
    'maintenance.started',
    'maintenance.started',
    'announcement.ended',
    'announcement.made',
  ]);
});

test('reports are decided, and people recovered and deleted, by the services of the console', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-'));
  t.after(() => rm(directory, { recursive: true }));
  const masterKeysFile = join(directory, 'keys');
  await writeFile(masterKeysFile, formatKey(1, systemRandom.bytes(KEY_BYTES)), { mode: 0o600 });
  await using scene = await createAccountScene({ masterKeysFile });
  const { world } = scene;
  await installServiceAccount(world);
  const [ada, eve] = [await scene.holder(), await scene.holder('Eve')];
  await scene.enrols(ada);
  const { conversationId, msgId } = await eve.gets('POST', '/api/chat/messages', {
    to: ada.accountId,
    type: 'text',
    content: 'You fool\u001b[2J',
  });
  const report = { conversationId, userId: eve.accountId, reason: 'abuse', msgIds: [msgId] };
  const { reportId } = await ada.gets('POST', '/api/chat/reports', report);
  const environment = {
    DATABASE_URL: world.config.databaseUrl,
    MASTER_KEYS_FILE: masterKeysFile,
  };
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await typed(['admin', ...args], environment);
    return code === 0 ? stdout : (stderr.split('\n', 1)[0] ?? '');
  };
  assert.match(await run('reports'), new RegExp(`^${reportId} .* Eve +abuse +by Ada +open\n$`));
  assert.match(
    await run('reports', 'show', reportId),
    new RegExp(`${msgId}  Eve .* text: You fool�\\[2J\n$`),
  );
  assert.equal(await run('reports', 'decide', reportId, 'warned'), 'parley: reason is required');
  assert.equal(
    await run('reports', 'decide', reportId, 'removed', '--reason', 'insults', '--messages', msgId),
    `${reportId} is decided: removed\n`,
  );
  assert.equal(await run('reports', 'decide', reportId, 'nothing'), 'parley: there is no such open report');
  assert.deepEqual(JSON.parse(await run('reports', '--decided', '--json')).waiting, { open: 0 });

  const bot = await world.bot({ name: 'Weather', webhookUrl: 'https://hooks.example.com/secret-path' });
  await world.db`
    insert into open_breakers (app_id, opened_at, owner, owned_until) values (${bot.appId}, 0, '', 0)`;
  assert.match(await run('person', ada.email), /Ada .*\njoined .*\ntwo-factor sign-in +on\nsigned in/);
  const application = await run('application', bot.appId);
  assert.match(application, /active +60\/min +Weather\n(?:.*\n)*endpoint +hooks\.example\.com +0 waiting/);
  assert.doesNotMatch(application, /secret-path/);
  assert.match(await run('endpoints'), new RegExp(`^${bot.appId}  1970-\\S+  Weather\n$`));
  const trail = join(directory, 'trail.ndjson');
  assert.equal(await run('acts', 'export', trail), `2 entries are in ${trail}\n`);
  const exported = (await readFile(trail, 'utf8')).trim().split('\n');
  assert.deepEqual(
    exported.map((line) => JSON.parse(line).act),
    ['trail.exported', 'report.decided'],
  );
  assert.match(await run('acts', 'export', trail), /^parley: .*exist/);

  const otherKeys = join(directory, 'other.keys');
  await writeFile(otherKeys, formatKey(1, systemRandom.bytes(KEY_BYTES)), { mode: 0o600 });
  const withOtherKeys = { ...environment, MASTER_KEYS_FILE: otherKeys };
  assert.match(
    (await typed(['admin', 'password-link', ada.email], withOtherKeys)).stderr,
    /^parley: encryption key 1 .*\n$/,
    'nothing is sealed with a key that the server does not have',
  );

  assert.match(await run('password-link', ada.email), /^http:\/\/localhost:\d+\/reset#\S+\n$/);
  assert.match(await run('recovery-code', ada.email), /^\S+\n$/);
  assert.equal(await run('delete-person', eve.email), 'parley: --reason is required');
  assert.equal(
    await run('delete-person', eve.email, '--reason', 'asked for by letter'),
    `the account of ${eve.email} is deleted\n`,
  );
  assert.equal((await eve.calls('GET', '/session')).status, 401);
});

test('a failed command is exit code 1 and one line', async () => {
  await using platform = await createTestPlatform();
  const environment = { DATABASE_URL: platform.config.databaseUrl };
  const appId = await newApplication(platform);
  const unknown = 'app_00000000000000000000000a';
  const away = { DATABASE_URL: 'postgres://parley@127.0.0.1:1/postgres' };
  const unreachable = 'the database cannot be reached: is Parley, or its PostgreSQL, running?';
  const nowhere = join(tmpdir(), 'no-parley-here');
  const cases: [string[], Record<string, string | undefined>, string][] = [
    [['suspend', unknown], environment, `there is no application ${unknown}`],
    [['suspend', 'x'], environment, 'there is no application x'],
    [['unsuspend', appId], environment, `the application ${appId} is active`],
    [['quota', unknown, '60'], environment, `there is no application ${unknown}`],
    [['reset-password', 'nobody@example.com'], environment, 'nobody has an account with this e-mail address'],
    [['reset-password', 'nobody'], environment, 'email must be an e-mail address'],
    [['suspend', appId], away, unreachable],
    [
      ['suspend', appId],
      { DATA_DIR: nowhere },
      `no server is running on ${nowhere}: start it, or set DATA_DIR or DATABASE_URL as for the server`,
    ],
    [
      ['suspend', appId],
      { PORT: 'x' },
      'the settings are not right:\n  PORT must be a whole number from 0 to 65535',
    ],
  ];
  assert.equal((await parley(['admin', 'suspend', unknown], environment)).code, 1);
  await Promise.all(
    cases.map(async ([args, env, line]) => {
      const stderr = `parley: ${line}\n`;
      assert.deepEqual(await typed(['admin', ...args], env), { code: 1, stdout: '', stderr }, args.join(' '));
    }),
  );
});

test('a file that is missing, or a database that refuses, is not taken for a database that is away', async () => {
  await using platform = await createTestPlatform();
  await using empty = await createEmptyDatabase();
  const environment = {
    DATABASE_URL: platform.config.databaseUrl,
    PARLEY_BACKUP_PASSPHRASE: PASSWORD.repeat(2),
  };
  const nowhere = join(tmpdir(), 'no-parley-here', 'file');
  const missing = `parley: ENOENT: no such file or directory, open '${nowhere}`;
  const isMissing = async (...args: string[]) => {
    const { code, stderr } = await typed(args, environment);
    assert.deepEqual([code, stderr.slice(0, missing.length)], [1, missing], args.join(' '));
  };
  await isMissing('backup', nowhere);
  await isMissing('backup', 'verify', nowhere);
  await isMissing('restore', nowhere);
  await isMissing('backup', join(tmpdir(), 'never.backup'), '--passphrase-file', nowhere);

  assert.match(
    (await typed(['admin', 'accounts'], { DATABASE_URL: empty.url })).stderr,
    /^parley: the database has no schema of this version \(relation "\w+" does not exist\): start the server, or run "parley migrate"\n$/,
  );

  await using admin = new Connection(empty.url);
  const name = new URL(empty.url).pathname.slice(1);
  await admin.db.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  assert.equal(
    (await typed(['migrate'], { DATABASE_URL: empty.url })).stderr,
    'parley: the database cannot be used: cannot execute CREATE TABLE in a read-only transaction\n',
  );
});

test('scale distribute changes nothing where there is no Citus, or nothing to do', async () => {
  await using platform = await createTestPlatform();
  const environment = { DATABASE_URL: platform.config.databaseUrl };
  const { code, stdout, stderr } = await typed(['scale', 'distribute'], environment);
  if (platform.shards.isDistributed)
    assert.deepEqual(
      [code, stdout],
      [0, `all tables are already distributed, over ${platform.shards.workers} workers\n`],
    );
  else assert.deepEqual([code, stderr.slice(0, 35)], [1, 'parley: this database has no Citus:']);
});

test('keys new prints a key that MASTER_KEYS accepts', async () => {
  const { code, stdout, stderr } = await parley(['keys', 'new']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^1:[0-9a-f]{64}\n$/);
  assert.equal(parseKeys(stdout).get(1)?.length, 32);
  assert.notEqual((await parley(['keys', 'new'])).stdout, stdout);
});

test('without DATABASE_URL the embedded database of the running server is found by DATA_DIR', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  try {
    await using embedded = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) });
    await using platform = await createTestPlatform();
    {
      await using connection = new Connection(embedded.url);
      const { db } = connection;
      await migrate({ db, clock: platform.clock });
      const appId = await newApplication({ ...platform, db });
      const outcome = await parley(['admin', 'suspend', appId], { DATA_DIR: dataDir });
      assert.deepEqual(outcome, { code: 0, stdout: `${appId} is suspended\n`, stderr: '' });
      assert.equal((await findApplication(db, appId))?.state, 'suspended');
    }
    await embedded.stop();
    const { code, stderr } = await parley(['admin', 'suspend', 'x'], { DATA_DIR: dataDir });
    const line = `no server is running on ${dataDir}: start it, or set DATA_DIR or DATABASE_URL as for the server`;
    assert.deepEqual([code, stderr], [1, `parley: ${line}\n`]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
