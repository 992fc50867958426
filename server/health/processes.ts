import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { Loop } from '#platform/loop.ts';
import type { RequestError } from '#platform/monitoring/recent-errors.ts';
import {
  eachShardByItself,
  readEachShard,
  type ShardScope,
  withinShard,
} from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';

const EVERY_MS = 10_000;
/** A process without a heartbeat for this long is considered stopped. */
const GONE_MS = 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

/** A process of the server with its last failed requests. */
export interface ServerProcess {
  processId: string;
  host: string;
  pid: number;
  version: string;
  roles: string;
  startedAt: number;
  seenAt: number;
  errors: readonly RequestError[];
}

/** Sends a heartbeat every few seconds until the process stops in an orderly way. */
export function announceProcess(platform: Platform): AsyncDisposable {
  const { db, clock, config, newId, errors, shards } = platform;
  const background = db.background;
  const processId = newId('prc');
  const own = {
    bucket: bucketOf(processId),
    processId,
    host: hostname(),
    pid: process.pid,
    version: readVersion(),
    roles: config.roles.join(','),
    startedAt: clock.now(),
  };
  let areOthersSwept = false;
  const loop = new Loop(platform, { name: 'process-announcement', everyMs: EVERY_MS }, async () => {
    const seenAt = clock.now();
    try {
      await background.write((tx) => upsertProcess(tx, { ...own, seenAt, errors: errors.list() }));
    } catch (error) {
      // The next attempt may reach another Citus node.
      own.bucket = bucketOf(newId('prc'));
      throw error;
    }
    if (areOthersSwept) return;
    const unseenSince = seenAt - FORGOTTEN_MS;
    await eachShardByItself(shards, (part) =>
      background.write((tx) => deleteProcesses(tx, { unseenSince, shards, part })),
    );
    areOthersSwept = true;
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await background.write((tx) => deleteProcess(tx, own)).catch(() => undefined);
    },
  };
}

/** The running processes, oldest first. */
export async function findProcesses({
  db,
  clock,
  shards,
  log,
}: Pick<Platform, 'db' | 'clock' | 'shards' | 'log'>): Promise<ServerProcess[]> {
  const seenSince = clock.now() - GONE_MS;
  const found = await readEachShard(
    shards,
    (part) => selectProcesses(db, { seenSince, shards, part }),
    (err) => log.warn({ err }, 'the processes of a shard cannot be read'),
  );
  // A process may have written to several buckets: its latest row counts.
  const latest = new Map(found.sort((a, b) => a.seenAt - b.seenAt).map((one) => [one.processId, one]));
  return [...latest.values()].sort(
    (a, b) => a.startedAt - b.startedAt || (a.processId < b.processId ? -1 : 1),
  );
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

type Key = Pick<ServerProcess, 'processId'> & { bucket: number };

async function upsertProcess(tx: Tx, row: ServerProcess & Key): Promise<void> {
  await tx`
    insert into running_processes (bucket, process_id, host, pid, version, roles, started_at, seen_at, errors)
    values (${row.bucket}, ${row.processId}, ${row.host}, ${row.pid}, ${row.version}, ${row.roles}, ${row.startedAt},
      ${row.seenAt}, ${tx.json(row.errors)})
    on conflict (bucket, process_id) do update set seen_at = excluded.seen_at, errors = excluded.errors`;
}

async function deleteProcess(tx: Tx, { bucket, processId }: Key): Promise<void> {
  await tx`delete from running_processes where bucket = ${bucket} and process_id = ${processId}`;
}

async function deleteProcesses(
  tx: Tx,
  { unseenSince, shards, part }: ShardScope & { unseenSince: number },
): Promise<void> {
  await tx`delete from running_processes where seen_at < ${unseenSince} ${withinShard(tx, shards, part)}`;
}

async function selectProcesses(
  db: Db,
  { seenSince, shards, part }: ShardScope & { seenSince: number },
): Promise<ServerProcess[]> {
  return db<ServerProcess[]>`
    select process_id, host, pid, version, roles, started_at, seen_at, errors
    from running_processes where seen_at >= ${seenSince} ${withinShard(db, shards, part)}`;
}
