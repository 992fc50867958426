import { execFile } from 'node:child_process';
import { glob, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PostgresLog } from './postmaster.ts';

const POLL_MS = 20;
const SIGNALS = [
  { signal: 'SIGINT', waitTimeoutMs: 30_000 },
  { signal: 'SIGQUIT', waitTimeoutMs: 5_000 },
] as const;

/**
 * Stops the server that a killed Parley left running on this cluster. Call it only under the directory's lock: then nobody
 * else can own that server. Removes the pid file of a dead server if its number now belongs to another process, which
 * PostgreSQL would take for itself (its own check of the shared memory remains), and the server's sockets.
 */
export async function stopLeftoverPostmaster(cluster: string, log: PostgresLog): Promise<void> {
  await stopServer(cluster, log);
  for await (const socket of glob('.s.PGSQL.*', { cwd: cluster }))
    await rm(join(cluster, socket), { force: true });
}

async function stopServer(cluster: string, log: PostgresLog): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!Number.isInteger(pid)) return;
  if (!(await isPostmasterOf(cluster, pid))) return rm(pidFile, { force: true });

  log.warn({ pid }, 'stopping the PostgreSQL that a killed Parley left behind');
  for (const { signal, waitTimeoutMs } of SIGNALS) {
    process.kill(pid, signal);
    const giveUpAt = performance.now() + waitTimeoutMs;
    while (performance.now() < giveUpAt) {
      if (!(await isPostmasterOf(cluster, pid))) return;
      await pause(POLL_MS);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) still holds ${cluster} and does not stop`);
}

async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  const commandLine = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return commandLine.includes(`-D ${cluster}`);
}

/** Empty if the process does not exist or is a zombie. */
async function fromProc(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.replaceAll('\0', ' ');
}

async function fromPs(pid: number): Promise<string> {
  const listing = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => undefined);
  return listing?.stdout ?? '';
}
