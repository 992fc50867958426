import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Undefined if there is no such file. */
export async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** On disk when it returns; whoever reads meanwhile gets the old content or the new one, whole. Readable by the owner only. */
export function writeJson(file: string, value: unknown): Promise<void> {
  return writeText(file, JSON.stringify(value));
}

/** The same for text. */
export async function writeText(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
  await flushDirectory(dirname(file));
}

/** A file that was created or renamed survives a power cut only once the entry of its directory does. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync();
  await handle.close();
}
