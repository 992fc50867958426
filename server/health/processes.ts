import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import type { Db, Tx } from '#platform/database.ts';
import { Loop } from '#platform/loop.ts';
import type { Platform } from '#platform/platform.ts';
import type { RequestError } from '#platform/recent-errors.ts';

const EVERY_MS = 10_000;
/** Of a process that says nothing for so long, nobody assumes that it still runs. */
const GONE_MS = 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

/** A process of the server, and its last requests that failed. */
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

/** Says every few seconds that this process runs; no more once it has stopped in order. */
export function announceProcess(platform: Platform): AsyncDisposable {
  const { db, clock, config, newId, errors } = platform;
  const background = db.background;
  const own = {
    processId: newId('prc'),
    host: hostname(),
    pid: process.pid,
    version: readVersion(),
    roles: config.roles.join(','),
    startedAt: clock.now(),
  };
  const loop = new Loop(platform, { name: 'process-announcement', everyMs: EVERY_MS }, async () => {
    const seenAt = clock.now();
    await background.write((tx) => upsertProcess(tx, { ...own, seenAt, errors: errors.list() }));
    await background.write((tx) => deleteProcesses(tx, { unseenSince: seenAt - FORGOTTEN_MS }));
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await background.write((tx) => deleteProcess(tx, own.processId)).catch(() => undefined);
    },
  };
}

/** Those that run, the oldest first. */
export async function findProcesses({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<ServerProcess[]> {
  return selectProcesses(db, { seenSince: clock.now() - GONE_MS });
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

async function upsertProcess(tx: Tx, row: ServerProcess): Promise<void> {
  await tx`
    insert into server_processes (process_id, host, pid, version, roles, started_at, seen_at, errors)
    values (${row.processId}, ${row.host}, ${row.pid}, ${row.version}, ${row.roles}, ${row.startedAt}, ${row.seenAt},
      ${tx.json(row.errors)})
    on conflict (process_id) do update set seen_at = excluded.seen_at, errors = excluded.errors`;
}

async function deleteProcess(tx: Tx, processId: string): Promise<void> {
  await tx`delete from server_processes where process_id = ${processId}`;
}

async function deleteProcesses(tx: Tx, { unseenSince }: { unseenSince: number }): Promise<void> {
  await tx`delete from server_processes where seen_at < ${unseenSince}`;
}

async function selectProcesses(db: Db, { seenSince }: { seenSince: number }): Promise<ServerProcess[]> {
  return db<ServerProcess[]>`
    select process_id, host, pid, version, roles, started_at, seen_at, errors
    from server_processes where seen_at >= ${seenSince} order by started_at, process_id`;
}
