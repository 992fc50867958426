import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/** A process that holds a lock for longer counts as dead, since its process id may have been reused. */
const LONGEST_HOLD_MS = 10 * 60_000;
const HOST = hash(hostname()).slice(0, 12);
const OURS = new Set<string>();

/** A lock in a directory, held by one process at a time, on any number of machines. */
export interface FileLock {
  letGo(): Promise<void>;
}

/**
 * Takes the lock, unless it is held: creates a file of its own, and the directory if need be, then looks for those of others. Of two
 * processes that do so at once, at least one sees the other and steps back; both may. Files of dead processes are ignored.
 */
export async function holdName(directory: string, name: string): Promise<FileLock | undefined> {
  const prefix = `${hash(name)}~`;
  const own = `${prefix}${HOST}~${process.pid}~${randomBytes(8).toString('hex')}`;
  OURS.add(own);
  const letGo = async () => {
    await rm(join(directory, own), { force: true });
    OURS.delete(own);
  };
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await (await open(join(directory, own), 'wx', 0o600)).close();
    for (const other of await readdir(directory)) {
      if (other === own || !other.startsWith(prefix)) continue;
      if (await isHeld(directory, other)) {
        await letGo();
        return undefined;
      }
      await rm(join(directory, other), { force: true });
    }
    return { letGo };
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** The file name for a lock, whatever characters its name has. */
export function hash(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 40);
}

async function isHeld(directory: string, file: string): Promise<boolean> {
  const [, host, pid] = file.split('~');
  if (host === HOST && !isRunning(Number(pid), file)) return false;
  const stats = await stat(join(directory, file)).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs < LONGEST_HOLD_MS;
}

function isRunning(pid: number, file: string): boolean {
  // In containers, a new process often has the process id of its predecessor.
  if (pid === process.pid) return OURS.has(file);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Undefined if there is no such file. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined if there is no such file. @throws Error for a damaged one, with its name and the remedy */
export async function readJson<T>(file: string, remedy = 'restore or remove it'): Promise<T | undefined> {
  const text = await readText(file);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged: ${remedy}`, { cause });
  }
}

/** On disk when it returns; whoever reads meanwhile gets the old content or the new one, whole. Readable by the owner only. */
export async function writeText(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Another process may be writing the same file.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
  if (process.platform === 'win32') return;
  // It survives a power cut only once the entry of its directory does.
  const directory = await open(folder);
  await directory.sync();
  await directory.close();
}
