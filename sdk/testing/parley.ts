import { createHash } from 'node:crypto';
import { Browser } from './browser.ts';
import type { Emulator } from './emulator.ts';
import { TestPerson } from './person.ts';

/** The scopes that every key has. */
const KEY_SCOPES = ['messages:send', 'groups:manage'];

const PASSWORD = 'correct horse battery staple';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface Duration {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/** A bot with the credentials of its application. */
export interface TestBot {
  userId: string;
  username: string;
  appId: string;
  apiKey: string;
  webhookSecret: string;
  clientId: string;
  clientSecret: string;
}

export interface BotOptions {
  name?: string;
  /** Ends with `bot`. */
  username?: string;
  /** Where its events are sent; http on this machine is allowed. */
  webhookUrl?: string;
  /** For applications with OAuth login. */
  redirectUris?: string[];
  /** Besides `messages:send` and `groups:manage`, which every key has. */
  scopes?: ('polls:write' | 'bot:manage')[];
}

/** A server for tests. */
export class Parley {
  /** `baseUrl` of the SDK. */
  readonly url: string;
  readonly #emulator: Emulator;
  #made = 0;

  constructor(emulator: Emulator) {
    this.url = emulator.url;
    this.#emulator = emulator;
  }

  /**
   * @example
   * const ada = await parley.createPerson('Ada');
   */
  async createPerson(name = 'Ada'): Promise<TestPerson> {
    const { userId, browser } = await this.#signUp(name);
    return new TestPerson({ userId, name, browser });
  }

  /**
   * An application of an owner of its own, with a bot.
   *
   * @example
   * const { apiKey } = await parley.createBot({ name: 'Echo' });
   */
  async createBot(options: BotOptions = {}): Promise<TestBot> {
    const { name = 'Test', username = `test${this.#made + 1}_bot`, scopes = [], redirectUris = [] } = options;
    const { browser } = await this.#signUp('Owner');
    const application = await browser.call<Omit<TestBot, 'userId' | 'username'>>(
      'POST',
      '/api/console/applications',
      { name },
    );
    const { appId } = application;
    const path = `/api/console/applications/${appId}`;
    const { userId } = await browser.call<{ userId: string }>('POST', `${path}/bot`, { username });
    if (scopes.length > 0) {
      const fingerprint = createHash('sha256').update(application.apiKey).digest('hex');
      await browser.call('PATCH', `${path}/api-keys/${fingerprint}`, { scopes: [...KEY_SCOPES, ...scopes] });
    }
    for (const redirectUri of redirectUris)
      await browser.call('POST', `${path}/redirect-uris`, { redirectUri });
    const { webhookUrl } = options;
    if (webhookUrl) await browser.call('PUT', `${path}/webhook-url`, { webhookUrl });
    return { ...application, clientId: appId, userId, username };
  }

  /**
   * Advances the server's clock: tokens expire, quotas start again, and webhook retries that are due by then start at once.
   * Returns its time, in epoch milliseconds.
   *
   * @example
   * await parley.advance({ hours: 1 });
   */
  async advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): Promise<number> {
    const ms = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
    if (!(ms > 0)) throw new TypeError('advance() takes days, hours, minutes or seconds, more than 0 in all');
    return this.#emulator.advance(ms);
  }

  /** Stops the server and deletes its data. */
  stop(): Promise<void> {
    return this.#emulator.stop();
  }

  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #signUp(name: string): Promise<{ userId: string; browser: Browser }> {
    const email = `person${++this.#made}@example.com`;
    const browser = new Browser(this.url, { email, password: PASSWORD });
    const { account } = await browser.call<{ account: { accountId: string } }>('POST', '/api/auth/sign-up', {
      email,
      password: PASSWORD,
      name,
    });
    return { userId: account.accountId, browser };
  }
}
