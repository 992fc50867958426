import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
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
export async function writeText(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
  if (process.platform === 'win32') return;
  // It survives a power cut only once the entry of its directory does.
  const directory = await open(folder);
  await directory.sync();
  await directory.close();
}
