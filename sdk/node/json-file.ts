import { open, readFile, rename } from 'node:fs/promises';

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
export async function writeJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.new`;
  const handle = await open(draft, 'w', 0o600);
  await handle.writeFile(JSON.stringify(value));
  await handle.sync();
  await handle.close();
  await rename(draft, file);
}
