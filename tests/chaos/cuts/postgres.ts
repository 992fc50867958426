import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { clusterUrl, readSuperuser } from '#platform/embedded-postgres/cluster.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/running.ts';
import { startReceiver } from '#testing/receiver.ts';
import { createChance } from '../../chance.ts';
import { startParley, UNLIMITED } from '../../processes.ts';
import { defect, seed } from '../options.ts';
import { planOf } from '../plans.ts';
import { createPairs, type Pair } from '../population.ts';
import { type Cut, Disk, FLUSHED, restore, TornCut } from './disk.ts';
import { faultsAfterCut, type Send, writeUntil } from './messages.ts';
import { readTrace, type SystemCall } from './trace.ts';

/**
 * Power cuts below fsync under load: the system calls of the embedded PostgreSQL, as strace records them, are carried out on a model of
 * a disk. After some of them, a server starts on what the worst power cut leaves, and on torn pages. Every message that had been
 * acknowledged, and its event, must be there.
 */
const PAIRS = 4;
const LOAD_MS = 10_000;
/** Checkpoints write the pages of tables, which may then be torn, and recycle the segments of the log. */
const BETWEEN_CHECKPOINTS_MS = 2_000;
/** Calls after which a cut is worth it. */
const CHANGE = /write|truncate|fallocate|sync|rename|link/;
/** What PostgreSQL calls safe. And strace does not see what io_uring writes. */
const SETTINGS = {
  data_checksums: 'on',
  fsync: 'on',
  full_page_writes: 'on',
  io_method: 'worker',
  synchronous_commit: 'on',
  wal_sync_method: 'fdatasync',
};

/** Settings that a run may switch off, which it must then notice. */
const DEFECTS = ['fsync', 'full_page_writes', 'synchronous_commit'];
const DAMAGE_OF_TABLES = `
  select relation.oid::regclass || ': ' || msg as msg from pg_class relation, verify_heapam(relation.oid) where relkind in ('r', 't')`;
const CHECK_INDEXES = `
  select bt_index_check(pg_class.oid, true) from pg_class join pg_am on pg_am.oid = relam
  where amname = 'btree' and relkind = 'i'`;

const { cuts } = planOf('postgres-cuts', seed);
if (defect !== undefined && !DEFECTS.includes(defect))
  throw new Error(`no such defect: ${defect}; there are ${DEFECTS.join(', ')}`);

const scratch = await realpath(await mkdtemp(join(tmpdir(), 'parley-cuts-')));
const inScratch = (name: string) => join(scratch, name);
const [dataDir, traces, left] = [inScratch('data'), inScratch('traces'), inScratch('left')];
const cluster = join(dataDir, 'postgres');
/** The msgIds of webhooks. */
let heard = new Set<string>();
await using receiver = await startReceiver({
  host: 'localhost',
  respond({ rawBody }) {
    heard.add(msgIdOf(rawBody));
    return { status: 204 };
  },
});
const environment = {
  LOG_LEVEL: 'fatal',
  ...UNLIMITED,
  WEBHOOK_CA_FILE: inScratch('ca.pem'),
  WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
};

let [states, tornPages] = [0, 0];
const faults: string[] = [];
try {
  await writeFile(environment.WEBHOOK_CA_FILE, receiver.ca);
  const pairs = await createClean();
  const disk = await Disk.of(cluster);
  const load = await writeTraced(pairs);
  const calls = await readTrace(traces, cluster);
  await rm(traces, { recursive: true });
  await cutAll(disk, calls, load);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
console.log(`${states} states, ${tornPages} torn pages, ${faults.length} faults`);
if (defect === undefined && faults.length > 0) throw new Error(faults.join('\n'));
if (defect !== undefined && faults.length === 0) throw new Error(`the defect ${defect} was not found`);
if (defect !== undefined) console.log(`${defect} was found:\n${faults.join('\n')}`);

interface Load {
  pairs: Pair[];
  sends: Send[];
}

/** People and bots in a database that was shut down. */
async function createClean(): Promise<Pair[]> {
  await using server = await startParley({ ...environment, DATA_DIR: dataDir });
  return await createPairs(server.url, PAIRS, receiver.url);
}

/** The load, during which the calls of PostgreSQL are recorded. */
async function writeTraced(pairs: Pair[]): Promise<Load> {
  await mkdir(traces);
  await using server = await startParley({
    ...environment,
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'traced-postgres.ts')}`,
    CUTS_TRACE: traces,
    CUTS_DEFECT: defect ?? '',
  });
  const found = await query<{ name: string; setting: string }>(
    (await findRunningPostgres(dataDir)) ?? '',
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(SETTINGS)],
  );
  const settings = Object.fromEntries(found.map(({ name, setting }) => [name, setting]));
  assert.deepEqual(settings, { ...SETTINGS, ...(defect && { [defect]: 'off' }) });
  const stop = new AbortController();
  const [sends] = await Promise.all([
    writeUntil(stop.signal, server.url, pairs),
    checkpointUntil(stop.signal),
    pause(LOAD_MS).then(() => stop.abort()),
  ]);
  return { pairs, sends };
}

async function checkpointUntil(signal: AbortSignal): Promise<void> {
  const url = await superuserUrl(dataDir);
  while (!signal.aborted) {
    await query(url, 'select pg_switch_wal()');
    await query(url, 'checkpoint');
    await pause(BETWEEN_CHECKPOINTS_MS);
  }
}

/** Carries out the calls, with a power cut after some of those under load. */
async function cutAll(disk: Disk, calls: SystemCall[], load: Load): Promise<void> {
  const answers = load.sends.map(({ acknowledgedAt }) => acknowledgedAt);
  const [from, to] = [Math.min(...answers), Math.max(...answers)];
  const underLoad = calls.filter(({ returnedAt }) => returnedAt > from && returnedAt < to);
  const chosen = new Map(
    cuts.map(({ folder, at, torn }) => {
      const own = underLoad.filter(
        ({ call, paths: [path = ''] }) => CHANGE.test(call) && path.startsWith(join(cluster, folder)),
      );
      return [own[Math.floor(at * own.length)], torn];
    }),
  );
  for (const call of calls) {
    disk.apply(call);
    const torn = chosen.get(call)?.map((seed) => new TornCut(createChance(seed)));
    if (!torn) continue;
    const cutAt = call.returnedAt;
    for (const cut of [FLUSHED, ...torn]) faults.push(...(await faultsAfter(disk, cut, { ...load, cutAt })));
    const pages = torn.reduce((sum, cut) => sum + cut.tornPages, 0);
    const acknowledged = answers.filter((at) => at <= cutAt).length;
    const place = call.paths[0]?.slice(cluster.length + 1);
    console.log(
      `${call.call} of ${place}: ${acknowledged} acknowledged messages, ${pages} torn pages, ${faults.length} faults`,
    );
    states += 1 + torn.length;
    tornPages += pages;
    if (defect !== undefined && faults.length > 0) return;
  }
}

/** What is wrong with a server that starts on what a power cut left. */
async function faultsAfter(disk: Disk, cut: Cut, load: Load & { cutAt: number }): Promise<string[]> {
  const restored = join(left, 'postgres');
  await cp(dataDir, left, { recursive: true, filter: (path) => path !== cluster });
  await restore(disk.after(cut), cluster, restored);
  await promisify(execFile)('chown', ['-R', `--reference=${cluster}`, restored]);
  await chmod(restored, 0o700);
  const heardBefore = receiver.requests.filter(({ receivedAt }) => receivedAt < load.cutAt);
  heard = new Set(heardBefore.map(({ rawBody }) => msgIdOf(rawBody)));
  try {
    await using server = await startParley({ ...environment, DATA_DIR: left });
    const found = await faultsAfterCut(server.url, { ...load, heard });
    const url = await superuserUrl(left);
    await query(url, 'create extension amcheck');
    const damage = await query<{ msg: string }>(url, DAMAGE_OF_TABLES);
    await query(url, CHECK_INDEXES);
    return [...found, ...damage.map(({ msg }) => msg)];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await rm(left, { recursive: true });
  }
}

async function superuserUrl(directory: string): Promise<string> {
  const { port } = new URL((await findRunningPostgres(directory)) ?? '');
  return clusterUrl(await readSuperuser(join(directory, 'postgres')), Number(port));
}

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function msgIdOf(rawBody: Buffer): string {
  return JSON.parse(rawBody.toString()).data.msgId;
}
