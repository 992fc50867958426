import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { formatKey, KEY_BYTES } from '#platform/crypto/keyring.ts';
import { systemRandom } from '#platform/random.ts';

/** Linux counts CPU time in hundredths of a second on every machine. */
const MICROSECONDS_PER_TICK = 10_000;

/** For load: the limits of a person, an application or a network would apply to it, too. */
export const UNLIMITED = {
  REQUESTS_PER_MINUTE: '1000000',
  SIGN_UPS_PER_HOUR: '1000000',
  MESSAGES_PER_MINUTE: '1000000',
  UNANSWERED_MESSAGES_PER_HOUR: '1000000',
  NEW_PEOPLE_PER_DAY: '1000000',
  NEW_PEOPLE_ADDED_PER_DAY: '1000000',
  GROUPS_PER_DAY: '1000000',
  LIVE_STREAMS_PER_PERSON: '1000000',
};

/** Settings of a server on this database, with new keys. */
export function settingsOn({ url }: { url: string }): { DATABASE_URL: string; MASTER_KEYS: string } {
  return { DATABASE_URL: url, MASTER_KEYS: formatKey(1, systemRandom.bytes(KEY_BYTES)).trim() };
}

export type ServerProcess = ReturnType<typeof toServerProcess>;

/** The options that `npm start` passes to Node. */
const START_OPTIONS = ['--max-semi-space-size=16'];

/** Parley as run by `npm start`, ready for requests; its source is in the current folder, or in `cwd`. */
export async function startParley(
  environment: Record<string, string>,
  { cwd }: { cwd?: string } = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...START_OPTIONS, 'server/main.ts'], {
    ...(cwd && { cwd }),
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line);
      const ready = /is ready(?: at (\S+))?/.exec(line);
      if (ready) resolve((ready[1] ?? '').replace('localhost', '127.0.0.1'));
    });
  }
  child.once('exit', () => reject(new Error(`the server ended:\n${lines.join('\n')}`)));
  return toServerProcess(child, await ready, () => lines.join('\n'));
}

/**
 * A server in a process of its own.
 *
 * @param url empty for a background worker
 * @param printed all its output so far, including its log
 */
export function toServerProcess(child: ChildProcess, url: string, printed: () => string) {
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    pid: child.pid as number,
    printed,
    async residentMegabytes(): Promise<number> {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    /** The processes that it supervises, which serve in its place; none if it serves itself. */
    async childPids(): Promise<number[]> {
      const pids = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ');
      const isNode = async (pid: string) =>
        (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('main.ts');
      const own = await Promise.all(
        pids.filter(Boolean).map(async (pid) => ((await isNode(pid)) ? [pid] : [])),
      );
      return own.flat().map(Number);
    },
    /** The CPU time of all its threads since it started. */
    async cpuMicroseconds(): Promise<number> {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [user, system] = [Number(fields[11]), Number(fields[12])];
      return (user + system) * MICROSECONDS_PER_TICK;
    },
    /** Ends the process as a supervisor does; returns its exit code. */
    async stop(): Promise<number | null> {
      await end('SIGTERM');
      return child.exitCode;
    },
    /** Ends the process like a power cut. */
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** The embedded PostgreSQL of a server with this data directory. */
export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
}

/** Kills every process whose environment has this entry, where Linux tells. */
export function killProcesses(entry: string): void {
  if (!existsSync('/proc')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (environment.includes(entry)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

/** The first output of a program; throws if the program ends without any. */
export function firstLine(child: ChildProcess & { stdout: Readable }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface(child.stdout).once('line', resolve);
  child.once('error', reject);
  child.once('exit', (code, signal) => reject(new Error(`the program ended with ${code ?? signal}`)));
  return promise;
}

/** The remote ports of the connections that a process holds. */
export async function peerPorts(pid: number): Promise<Set<number>> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const rows = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).trim().split('\n').slice(1);
  const columns = rows.map((row) => row.trim().split(/\s+/));
  return new Set(
    columns.flatMap(([, , remote = '', , , , , , , inode = '']) =>
      inodes.has(inode) ? [Number.parseInt(remote.split(':')[1] ?? '', 16)] : [],
    ),
  );
}
