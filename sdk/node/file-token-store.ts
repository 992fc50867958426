import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TokenSet, TokenStore } from '../tokens.ts';
import { type FileLock, hash, holdName, readJson, writeText } from './files.ts';

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

  constructor({ directory }: { directory: string }) {
    this.#directory = directory;
  }

  read(key: string): Promise<TokenSet | undefined> {
    return readJson(this.#fileOf(key));
  }

  async update(
    key: string,
    change: (current: TokenSet | undefined) => Promise<TokenSet | undefined>,
  ): Promise<TokenSet | undefined> {
    const turn = await this.#waitForTurn(key);
    try {
      const current = await this.read(key);
      const next = await change(current);
      if (!next) await rm(this.#fileOf(key), { force: true });
      // A rotated token is gone forever: its replacement must be on disk before it is used.
      else if (next !== current) await writeText(this.#fileOf(key), JSON.stringify(next));
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

  #fileOf(key: string): string {
    return join(this.#directory, `${hash(key)}.json`);
  }
}
