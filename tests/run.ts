/**
 * `npm test`: every test file of the repository; `npm test -- server/features/polls bootstrap.test.ts`: those in the given
 * folders and files; `npm test -- --shard=1/3`: every third; `npm test -- --citus server`: on the Citus cluster at CITUS_URL.
 * Without a browser or Redis, the files that need one are skipped, with a notice; in CI they are never skipped.
 */

import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join, normalize } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { LONGEST_SILENCE_AFTER_FAILURE_MS, LONGEST_SILENCE_MS } from '#testing/waits.ts';
import { killProcesses } from './processes.ts';

const FILES = ['*.test.ts', '{contract,locales,server,sdk,web,tests}/**/*.test.ts'];

/** Two more jobs than cores: most of them wait for PostgreSQL or a browser part of the time. */
const CONCURRENCY = availableParallelism() + 2;

/** Files in memory, as most Linux machines have them. */
const MEMORY = '/dev/shm';
/** More than a run ever writes at one time. */
const ROOM_BYTES = 2 ** 31;

/** Most tests create a server, which lives as long as they do: with more room for young objects it is copied less often. */
const FOR_SERVERS = ['--max-semi-space-size=64'];

const COMPILED = join(import.meta.dirname, '../node_modules/.cache/compiled');

const NEEDS = [
  {
    programs: ['chromium-headless-shell', 'chromium'],
    sign: /chromium\.ts|(web|chat|console)-scene\.ts/,
    under: 'tests/',
    hint: 'apt-get install chromium',
  },
  // The headless shell does not support notifications.
  {
    programs: ['chromium'],
    sign: /hasNotifications: true/,
    under: 'tests/',
    hint: 'apt-get install chromium',
  },
  {
    programs: ['promtool'],
    sign: /run\('promtool'/,
    under: 'tests/operate/',
    hint: 'apt-get install prometheus',
  },
  {
    programs: ['prometheus-alertmanager'],
    sign: /'prometheus-alertmanager'/,
    under: 'tests/',
    hint: 'apt-get install prometheus-alertmanager',
  },
  {
    programs: ['apache2'],
    sign: /spawn\('apache2'/,
    under: 'server/',
    hint: 'apt-get install apache2-bin libapache2-mod-auth-openidc python3-authlib python3-requests',
  },
  { programs: ['redis-server'], sign: /testing\/redis\.ts/, under: '', hint: 'apt-get install redis-server' },
];

/** Skipped with `--citus`, and why. */
const NOT_ON_CITUS: Record<string, string> = {
  'server/distribution/indexes.test.ts':
    'Citus shows the plan of one shard, with other indexes than PostgreSQL takes',
  'server/features/messages/access/read-markers.test.ts':
    'the statements over several conversations are not used there',
};

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const { values: options, positionals: named } = parseArgs({
  args: process.argv.slice(2),
  options: { shard: { type: 'string', default: '1/1' }, citus: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (options.citus)
  process.env['TEST_CITUS_URL'] =
    process.env['CITUS_URL'] ??
    stop('--citus needs CITUS_URL: a database of the coordinator that knows its workers');
const every = globSync(FILES, { exclude: ['**/node_modules/**', '**/dist/**'] }).sort();
const chosen = ofShard(named.length === 0 ? every : named.flatMap(under), options.shard);

const missing = process.env['CI'] ? [] : NEEDS.filter(({ programs }) => !programs.some(isInstalled));
const leftOut = missing.map((need) => ({
  ...need,
  files: chosen.filter((file) => file.startsWith(need.under) && need.sign.test(readFileSync(file, 'utf8'))),
}));
const notOnCitus = options.citus ? chosen.filter((file) => NOT_ON_CITUS[file]) : [];
const files = chosen.filter(
  (file) => !notOnCitus.includes(file) && !leftOut.some((need) => need.files.includes(file)),
);

/** The test files selected by a file or folder on the command line. */
function under(path: string): string[] {
  const found = every.filter((file) => file === normalize(path) || file.startsWith(join(path, '/')));
  if (found.length === 0) stop(`${path} has no test file`);
  return found;
}

function ofShard(files: string[], text: string): string[] {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > of) stop('--shard takes a number and how many shards there are, such as 1/3');
  return files.filter((_file, i) => i % of === index - 1);
}

function stop(reason: string): never {
  console.error(reason);
  process.exit(2);
}

/**
 * How many files share a process, since loading the whole server takes longer than most tests; browser tests share a browser
 * and a server, too. Slow jobs start first; tests that start servers of their own get a process of their own.
 */
const KINDS = [
  { under: 'tests/web/', sharing: 4 },
  { under: 'tests/sdk/', sharing: 4 },
  { under: 'tests/', sharing: 1 },
  // On a cluster, creating a database for each test takes long.
  { under: '', sharing: options.citus ? 4 : 24 },
];

/** Of a few files, each has a process of its own while there are processes to spare: the first results come sooner. */
const mostSharing = Math.ceil(files.length / CONCURRENCY);
const kinds = Map.groupBy(files, (file) => KINDS.find(({ under }) => file.startsWith(under)));
const jobs = KINDS.flatMap((kind) => divide(kinds.get(kind) ?? [], Math.min(kind.sharing, mostSharing))).map(
  (group) =>
    group.length === 1
      ? { files: group }
      : { files: [join(import.meta.dirname, 'run-files.ts')], argv: group },
);

/** Splits into parts as equal as possible, none larger than `size`. */
function divide(all: string[], size: number): string[][] {
  const parts = Math.ceil(all.length / size);
  return Array.from({ length: parts }, (_, part) => all.filter((_file, i) => i % parts === part));
}

// Many processes start servers, which share their compiled code.
process.env['NODE_COMPILE_CACHE'] = COMPILED;

// Test databases are many short-lived files: on a disk, the kernel would be busy with them for half a minute more.
if (hasRoom(MEMORY)) process.env['TMPDIR'] ??= MEMORY;

function hasRoom(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= ROOM_BYTES;
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const events = new PassThrough({ objectMode: true });
const totals = new Map<string, number>();

/** Runs one job after another, and reports each when it is done. */
async function work(): Promise<void> {
  for (let job = jobs.shift(); job && !stopping.signal.aborted; job = jobs.shift()) {
    for (const event of await eventsOf(job)) {
      if (event.type === 'test:fail') process.exitCode = 1;
      if (event.type === 'test:summary' && !event.data.file) count(event.data.counts);
      // A job's totals are not those of the whole run.
      else if (event.type !== 'test:diagnostic' || event.data.file) events.write(event);
    }
  }
}

/** A job that is silent for too long ends, together with the servers and browsers that it has started. */
async function eventsOf(job: (typeof jobs)[number]): Promise<TestEvent[]> {
  const silence = new AbortController();
  const signal = AbortSignal.any([stopping.signal, silence.signal]);
  const mark = { TEST_JOB: randomUUID() };
  signal.addEventListener('abort', () => killProcesses(`TEST_JOB=${mark.TEST_JOB}`));
  const told: TestEvent[] = [];
  let limitMs = LONGEST_SILENCE_MS;
  let timer: NodeJS.Timeout | undefined;
  for await (const event of run({
    ...job,
    env: { ...process.env, ...mark },
    execArgv: FOR_SERVERS,
    signal,
  })) {
    told.push(event);
    if (event.type === 'test:fail') limitMs = LONGEST_SILENCE_AFTER_FAILURE_MS;
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), limitMs);
  }
  clearTimeout(timer);
  return told;
}

function count({ topLevel: _, ...counts }: Record<string, number>): void {
  for (const [name, number] of Object.entries(counts)) totals.set(name, (totals.get(name) ?? 0) + number);
}

await globalSetup();
try {
  const printed = pipeline(events, new spec(), process.stdout, { end: false });
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  totals.set('duration_ms', Math.round(performance.now()));
  for (const [name, number] of totals) {
    events.write({
      type: 'test:diagnostic',
      data: { nesting: 0, level: 'info', message: `${name} ${number}` },
    });
  }
  events.end();
  await printed;
} finally {
  await globalTeardown();
}
if (chosen.length < every.length) console.error(`Chosen: ${chosen.length} of ${every.length} test files.`);
for (const { programs, hint, files: unrun } of leftOut.filter((need) => need.files.length > 0)) {
  console.error(
    `NOT RUN, since there is no ${programs.join(' or ')} here (${hint}):\n  ${unrun.join('\n  ')}`,
  );
}
for (const file of notOnCitus) console.error(`NOT RUN on Citus: ${file}: ${NOT_ON_CITUS[file]}`);
