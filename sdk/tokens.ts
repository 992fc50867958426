import { Turns } from './turns.ts';
import type { OAuthScope } from './wire.ts';

/** The tokens of one consent: store them as they are. */
export interface TokenSet {
  accessToken: string;
  refreshToken: string;
  /** When the access token expires, in epoch milliseconds. */
  expiresAt: number;
  scopes: OAuthScope[];
}

/**
 * Stores the tokens of many people, each under a key chosen by the application. The service ends a consent when a refresh
 * token is used twice, so a store that several processes share must run one `update` of a key at a time, with a lock or a
 * locked row (`select … for update`).
 */
export interface TokenStore {
  read(key: string): Promise<TokenSet | undefined>;
  /**
   * Runs `change` while nobody else, in any process, changes this key, and stores its result before it resolves. Undefined
   * means that there are no tokens. If `change` throws, nothing changes.
   */
  update(
    key: string,
    change: (current: TokenSet | undefined) => Promise<TokenSet | undefined>,
  ): Promise<TokenSet | undefined>;
}

/**
 * Keeps tokens in the memory of one process.
 *
 * @example
 * const tokens = new MemoryTokenStore();
 * const oauth = new OAuthClient({ baseUrl, clientId, clientSecret, redirectUri, tokens });
 */
export class MemoryTokenStore implements TokenStore {
  readonly #tokens = new Map<string, TokenSet>();
  readonly #turns = new Turns();

  async read(key: string): Promise<TokenSet | undefined> {
    return this.#tokens.get(key);
  }

  async update(
    key: string,
    change: (current: TokenSet | undefined) => Promise<TokenSet | undefined>,
  ): Promise<TokenSet | undefined> {
    return this.#turns.run(key, async () => {
      const next = await change(this.#tokens.get(key));
      if (next) this.#tokens.set(key, next);
      else this.#tokens.delete(key);
      return next;
    });
  }
}
