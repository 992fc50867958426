import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '../event-store.ts';
import { FeedProgress } from '../polling/feed-progress.ts';
import type { CursorStore } from '../polling/polling.ts';
import type { SessionStore } from '../session.ts';
import type { TokenSet, TokenStore } from '../tokens.ts';
import { type FileLock, hash, holdName, readJson, readText, writeText } from './files.ts';

const PRUNE_EVERY = 1000;
/** The name of a mark or a lock. */
const OWN_FILE = /^[0-9a-f]{40}(\.done|~)/;

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
    try {
      if (this.#claimed++ % PRUNE_EVERY === 0) await this.#prune();
      // Checked after the claim: nobody can finish in between.
      if (await this.#isDone(msgId)) {
        await claim?.letGo();
        return 'done';
      }
    } catch (error) {
      await claim?.letGo();
      throw error;
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
    return (await readText(this.#markOf(msgId))) !== undefined;
  }

  async #prune(): Promise<void> {
    for (const file of await readdir(this.#directory)) {
      if (!OWN_FILE.test(file)) continue;
      const path = join(this.#directory, file);
      const stats = await stat(path).catch(() => undefined);
      if (stats && Date.now() - stats.mtimeMs > this.#keepMs) await rm(path, { force: true });
    }
  }
}

/**
 * Stores tokens in a directory that several processes may share: only one at a time refreshes. The files are not encrypted,
 * and readable only by their owner.
 *
 * @example
 * const tokens = new FileTokenStore({ directory });
 * const oauth = new OAuthClient({ baseUrl, clientId, clientSecret, redirectUri, tokens });
 */
export class FileTokenStore implements TokenStore {
  readonly #directory: string;
  readonly #tokens: FileSessionStore<TokenSet>;

  constructor({ directory }: { directory: string }) {
    this.#directory = directory;
    this.#tokens = new FileSessionStore({ directory });
  }

  read(key: string): Promise<TokenSet | undefined> {
    return this.#tokens.read(key);
  }

  async update(
    key: string,
    change: (current: TokenSet | undefined) => Promise<TokenSet | undefined>,
  ): Promise<TokenSet | undefined> {
    const turn = await this.#waitForTurn(key);
    try {
      const current = await this.read(key);
      const next = await change(current);
      // A rotated token is gone forever: its replacement must be on disk before it is used.
      if (next !== current) await this.#tokens.write(key, next);
      return next;
    } finally {
      await turn.letGo();
    }
  }

  async #waitForTurn(key: string): Promise<FileLock> {
    for (;;) {
      const turn = await holdName(this.#directory, key);
      if (turn) return turn;
      // Two processes that collide both step back; a random delay separates them.
      await pause(5 + Math.random() * 20);
    }
  }
}

/**
 * Keeps sessions in a directory, a file for each conversation, so that they survive a restart. For one process.
 *
 * @example
 * const store = new FileSessionStore<{ step: string }>({ directory });
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

  /** @throws Error for a damaged file, with its name */
  async read(): Promise<string | undefined> {
    const text = await readText(this.#file);
    if (!text) return undefined;
    try {
      return new FeedProgress(text).text;
    } catch (cause) {
      const remedy = 'remove it to continue after the last acknowledged event';
      throw new Error(`${this.#file} is damaged: ${remedy}`, { cause });
    }
  }

  write(cursor: string): Promise<void> {
    return writeText(this.#file, cursor);
  }
}
