import { readFile } from 'node:fs/promises';
import type { CursorStore } from '../polling/polling.ts';
import { writeText } from './files.ts';

/**
 * Stores the position of `bot.poll()` in a file.
 *
 * @example
 * const polling = bot.poll({ cursor: new FileCursor(`${directory}/cursor`), signal: AbortSignal.timeout(50) });
 * await polling;
 */
export class FileCursor implements CursorStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<string | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text || undefined;
  }

  write(cursor: string): Promise<void> {
    return writeText(this.#file, cursor);
  }
}
