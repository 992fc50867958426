import { Secret, TOTP } from 'otpauth';
import type { Config } from '#platform/config.ts';
import { type Answer, dataOf, readAnswer } from './answers.ts';
import { countWaiting } from './citus.ts';
import { cookieOf, signUpPerson } from './people.ts';
import { createWorld, type World } from './world.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A browser at `/api/auth`: it keeps its cookie as browsers do. */
export class Browser {
  readonly #world: World;
  readonly address: string;
  cookie: string | undefined;

  constructor(world: World, { cookie, address = '192.0.2.1' }: { cookie?: string; address?: string } = {}) {
    this.#world = world;
    this.cookie = cookie;
    this.address = address;
  }

  async calls(method: Method, path: string, body?: object): Promise<Answer> {
    const answer = await this.#world.app.inject({
      method,
      url: path.startsWith('/api/') ? path : `/api/auth${path}`,
      remoteAddress: this.address,
      headers: { 'sec-fetch-site': 'same-origin', ...(this.cookie && { cookie: this.cookie }) },
      ...(body && { payload: body }),
    });
    if (answer.headers['set-cookie'] !== undefined) this.cookie = cookieOf(answer);
    return readAnswer(answer);
  }

  /** The same for a call that must succeed; returns its data. */
  async gets(method: Method, path: string, body?: object): Promise<Answer['body']> {
    return dataOf(await this.calls(method, path, body), method, path, body);
  }
}

export const PASSWORD = 'correct horse battery';

export interface AccountHolder extends Browser {
  accountId: string;
  email: string;
}

export type AccountScene = Awaited<ReturnType<typeof createAccountScene>>;

export async function createAccountScene(config: Partial<Config> = {}) {
  const world = await createWorld(config);
  /** The code that an authenticator app shows now. */
  const digits = (secret: string, offsetSeconds = 0) =>
    TOTP.generate({
      secret: Secret.fromBase32(secret),
      timestamp: world.clock.now() + offsetSeconds * 1000,
    });
  return {
    world,
    /** A person who has just signed up, in a browser. */
    async holder(name = 'Ada'): Promise<AccountHolder> {
      const { accountId, email, cookie } = await signUpPerson(world.app, { name, password: PASSWORD });
      return Object.assign(new Browser(world, { cookie }), { accountId, email });
    },
    stranger: (address?: string) => new Browser(world, { ...(address && { address }) }),
    digits,
    /** Turns two-factor sign-in on. */
    async enrols(holder: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { secret } = await holder.gets('POST', '/two-factor/enrol');
      const { recoveryCodes } = await holder.gets('POST', '/two-factor/confirm', { code: digits(secret) });
      return { secret, recoveryCodes };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Begins work while an account is being deleted; the deletion is committed once the work waits for it, or has ended. */
export async function whileDeleting(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  accountId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const [working] = await db.begin(async (tx) => {
    await tx`update accounts set deleted_at = ${clock.now()} where account_id = ${accountId}`;
    let hasEnded = false;
    const begun = work().finally(() => {
      hasEnded = true;
    });
    while (!hasEnded && (await countWaiting(db)) === 0);
    // In an array, so that the transaction does not wait for it.
    return [begun];
  });
  await working;
}
