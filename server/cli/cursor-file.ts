import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Remembers, by server and application, after which event a listener goes on. Holds no secret. */
export class CursorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(place: string): Promise<string | undefined> {
    return (await this.#readAll())[place];
  }

  /** Whole or not at all, whatever happens meanwhile. */
  async write(place: string, cursor: string): Promise<void> {
    const cursors = { ...(await this.#readAll()), [place]: cursor };
    await mkdir(dirname(this.#path), { recursive: true });
    const next = `${this.#path}.${process.pid}`;
    await writeFile(next, `${JSON.stringify(cursors, undefined, 2)}\n`, { mode: 0o600 });
    await rename(next, this.#path);
  }

  async #readAll(): Promise<Record<string, string>> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    try {
      return JSON.parse(text) as Record<string, string>;
    } catch {
      throw new Error(`${this.#path} is damaged: remove it to listen from now on`);
    }
  }
}

export function defaultCursorPath(environment: Record<string, string | undefined>): string {
  const directory = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] ?? homedir(), '.config');
  return join(directory, 'parley', 'listen.json');
}
