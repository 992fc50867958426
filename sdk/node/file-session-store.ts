import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionStore } from '../session.ts';
import { hash, readJson, writeText } from './files.ts';

/**
 * Keeps sessions in a directory, a file for each conversation, so that they survive a restart. For one process.
 *
 * @example
 * const store = new FileSessionStore({ directory });
 * bot.use(session({ initial: () => ({ step: 'name' }), store }));
 */
export class FileSessionStore<Session> implements SessionStore<Session> {
  readonly #directory: string;

  constructor({ directory }: { directory: string }) {
    this.#directory = directory;
  }

  read(key: string): Promise<Session | undefined> {
    return readJson(this.#fileOf(key));
  }

  write(key: string, session: Session | undefined): Promise<void> {
    const file = this.#fileOf(key);
    return session === undefined ? rm(file, { force: true }) : writeText(file, JSON.stringify(session));
  }

  #fileOf(key: string): string {
    return join(this.#directory, `${hash(key)}.json`);
  }
}
