import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

/** CPU time used by processes so far, including all their threads and the children they waited for. */
export async function cpuMicroseconds(pids: number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const fields = await stat(pid);
      return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    }),
  );
  return (ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND) * 1e6;
}

/** The postmaster of a data directory and its processes. */
export async function postgresPids(directory: string): Promise<number[]> {
  const file = join(directory, 'postgres', 'postmaster.pid');
  return processesOf(Number.parseInt(await readFile(file, 'utf8'), 10));
}

/** A postmaster and its processes. */
export async function processesOf(postmaster: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map(async (pid) => Number((await stat(pid))[1])));
  return [postmaster, ...pids.filter((_, i) => parents[i] === postmaster)];
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces: the state first, the parent second. */
async function stat(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
