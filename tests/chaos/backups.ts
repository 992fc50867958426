import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { type SeededBot, seedBots } from '../../bench/seed.ts';
import { callApi } from '../browser.ts';
import { startParley } from '../processes.ts';
import { createScratch, type Scratch } from '../scratch.ts';
import { backups, seed } from './options.ts';
import { planOf } from './plans.ts';

const PASSPHRASE = 'correct horse battery';
const WRITERS = 4;
/** The pause between a writer's sends, which leaves CPU time for the backup while the server is busy. */
const PAUSE_MS = 20;
/** Far longer than a run takes; a hanging one ends earlier by its idle deadline, with a non-zero exit code. */
const HANGS_AFTER_MS = 300_000;
const ENDS_WITHIN_MS = 2_000;
/** The last part of a backup is written too quickly to stop it there. */
const LATEST_STOP = 0.95;

const FILLED_AT_ONCE = 50_000;

const [ofMany = 0, ofMost = 0] = backups;
const PLAN = [
  { messages: 100_000, runs: ofMany, stops: 20 },
  { messages: 1_000_000, runs: ofMost, stops: 5 },
].filter(({ runs }) => runs > 0);

const { stops: plannedStops } = planOf('backups', seed);
await using scratch = await createScratch({ connections: 20 });
const folder = join(scratch.directory, 'backups');
await mkdir(folder);
const bots = await seedBots(scratch.db, createIds(systemClock, systemRandom), WRITERS);
await using server = await startParley({ ...scratch.environment, LOG_LEVEL: 'fatal' });
const writing = new AbortController();
let acknowledged = 0;
const writers = bots.map(write);

for (const { messages, runs, stops } of PLAN) {
  await fill(scratch, messages);
  const before = acknowledged;
  const startedAt = performance.now();
  const milliseconds: Record<'fast' | 'slow', number[]> = { fast: [], slow: [] };
  let bytes = 0;
  for (let run = 0; run < runs; run++) {
    const disk = run % 2 === 0 ? 'fast' : 'slow';
    const file = join(folder, `${run}.backup`);
    const began = performance.now();
    const backup = startBackup(file, disk);
    const code = await within(HANGS_AFTER_MS, backup);
    if (code !== 0)
      throw new Error(`run ${run} of ${messages} messages, ${disk} disk: the backup ended with ${code}`);
    milliseconds[disk].push(performance.now() - began);
    bytes = (await stat(file)).size;
    await expectNothingLeft(`${run}.backup`);
    await rm(file);
  }
  const rate = Math.round((acknowledged - before) / ((performance.now() - startedAt) / 1000));
  console.log(
    `${runs} of ${runs} backups of ${messages} messages (${(bytes / 1e6).toFixed(0)} MB) ended while bots sent ${rate} messages/s: ` +
      `${spread(milliseconds.fast)}; to a disk of 10 MB/s ${spread(milliseconds.slow)}`,
  );
  await stopSome(plannedStops.splice(0, stops), bytes);
}
writing.abort();
await Promise.all(writers);

/** A backup interrupted at any moment exits within 2 s, removes its file and releases its snapshot. */
async function stopSome(stops: typeof plannedStops, bytes: number): Promise<void> {
  const milliseconds: number[] = [];
  for (const { at, signal } of stops) {
    const backup = startBackup(join(folder, 'stopped.backup'), 'slow');
    const ending = within(HANGS_AFTER_MS, backup);
    while ((await bytesInFolder()) < LATEST_STOP * at * bytes && backup.exitCode === null) await pause(10);
    const began = performance.now();
    backup.kill(signal);
    const ended = await ending;
    milliseconds.push(performance.now() - began);
    if (ended !== signal) throw new Error(`stopped by ${signal}, the backup ended with ${ended}`);
    await expectNothingLeft();
  }
  console.log(
    `${stops.length} backups stopped at moments spread over the run: each ended within ${spread(milliseconds)} and left nothing behind`,
  );
  if (Math.max(...milliseconds) > ENDS_WITHIN_MS) throw new Error('a backup took longer than 2 s to end');
}

function startBackup(file: string, disk: 'fast' | 'slow'): ChildProcess {
  const slow = disk === 'slow' ? ['--import', './tests/chaos/slow-disk.ts'] : [];
  return spawn(process.execPath, [...slow, 'server/cli.ts', 'backup', file], {
    env: {
      ...process.env,
      ...scratch.environment,
      DATA_DIR: scratch.directory,
      PARLEY_BACKUP_PASSPHRASE: PASSPHRASE,
    },
    stdio: 'ignore',
  });
}

async function within(ms: number, child: ChildProcess): Promise<number | string> {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  return code ?? signal;
}

async function bytesInFolder(): Promise<number> {
  const sizes = (await readdir(folder)).map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0, // renamed since
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function expectNothingLeft(...wanted: string[]): Promise<void> {
  const left = (await readdir(folder)).filter((name) => !wanted.includes(name));
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
  for (let tries = 0; tries < 20; tries++) {
    const [row] = await scratch.db<{ count: number }[]>`
      select count(*) from pg_stat_activity where application_name = 'parley backup'`;
    if (row?.count === 0) return;
    await pause(100);
  }
  throw new Error('a session of a backup that has ended still holds its snapshot');
}

async function write(bot: SeededBot): Promise<void> {
  while (!writing.signal.aborted) {
    await send(bot).catch(() => {});
    await pause(PAUSE_MS);
  }
}

async function send({ key, personId }: SeededBot): Promise<void> {
  const message = { to: personId, type: 'text', content: 'Your parcel leaves the depot today.' };
  const { status } = await callApi(server.url, key, '/v1/messages', message);
  if (status === 201) acknowledged++;
}

/** Fills the table of messages up to this many rows, with random bytes in place of encrypted bodies. */
async function fill({ db }: Scratch, messages: number): Promise<void> {
  for (let first = 1; first <= messages; first += FILLED_AT_ONCE) {
    await db`
      insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
      select i % 1024, 'filled_' || i % 5000, 'msg_' || lpad(i::text, 24, '0'), 'usr_filler', 'text',
        sha512(i::text::bytea) || sha512((-i)::text::bytea) || sha256(i::text::bytea), 1, 1700000000000
      from generate_series(${first}::integer, ${first + FILLED_AT_ONCE - 1}::integer) as i
      on conflict do nothing`;
  }
}

function spread(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1));
  return `${sorted[Math.floor(sorted.length / 2)]} s (${sorted[0]} to ${sorted.at(-1)})`;
}
