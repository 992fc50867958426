import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventStore } from '../event-store.ts';
import { type FileLock, hash, holdName, writeText } from './files.ts';

const PRUNE_EVERY = 1000;

/**
 * Remembers handled events in a directory, across restarts and for all processes that share it. The claims of a killed
 * process are released. Use one directory per bot.
 *
 * @example
 * const store = new FileEventStore({ directory, days: 7 });
 * const echo = new Bot({ baseUrl, apiKey, webhookSecret, store });
 */
export class FileEventStore implements EventStore {
  readonly #directory: string;
  readonly #keepMs: number;
  readonly #claims = new Map<string, FileLock>();
  #claimed = 0;

  /** @param options `days`: how long an event is remembered; defaults to 7 */
  constructor({ directory, days = 7 }: { directory: string; days?: number }) {
    this.#directory = directory;
    this.#keepMs = days * 86_400_000;
  }

  async claim(msgId: string): Promise<'claimed' | 'done' | 'busy'> {
    const claim = await holdName(this.#directory, msgId);
    if (this.#claimed++ % PRUNE_EVERY === 0) await this.#prune();
    // Checked after the claim: nobody can finish in between.
    if (await this.#isDone(msgId)) {
      await claim?.letGo();
      return 'done';
    }
    if (!claim) return 'busy';
    this.#claims.set(msgId, claim);
    return 'claimed';
  }

  async done(msgId: string): Promise<void> {
    await writeText(this.#markOf(msgId), '');
    await this.release(msgId);
  }

  async release(msgId: string): Promise<void> {
    await this.#claims.get(msgId)?.letGo();
    this.#claims.delete(msgId);
  }

  #markOf(msgId: string): string {
    return join(this.#directory, `${hash(msgId)}.done`);
  }

  async #isDone(msgId: string): Promise<boolean> {
    return stat(this.#markOf(msgId)).then(
      () => true,
      () => false,
    );
  }

  async #prune(): Promise<void> {
    for (const file of await readdir(this.#directory)) {
      const path = join(this.#directory, file);
      const stats = await stat(path).catch(() => undefined);
      if (stats && Date.now() - stats.mtimeMs > this.#keepMs) await rm(path, { force: true });
    }
  }
}
