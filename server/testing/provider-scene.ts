import type { TestContext } from 'node:test';
import type { AddProvider } from '#contract/operate/providers.ts';
import { type Answer, dataOf, readAnswer } from './answers.ts';
import { OpenIdProvider } from './openid-provider.ts';
import type { TestPlatformOptions } from './platform.ts';
import { createWorldFor, type World } from './world.ts';

type Method = 'GET' | 'POST' | 'DELETE' | 'PATCH';

/** A browser that keeps every cookie, and follows redirects only when told to. */
export class CookieBrowser {
  readonly #world: World;
  readonly #cookies = new Map<string, string>();

  constructor(world: World, cookie?: string) {
    this.#world = world;
    if (cookie !== undefined) this.#keep([cookie]);
  }

  async calls(method: Method, url: string, body?: object): Promise<Answer> {
    return readAnswer(await this.#asks(method, url, body));
  }

  /** The same for a call that must succeed; returns its data. */
  async gets(method: Method, url: string, body?: object): Promise<Answer['body']> {
    return dataOf(await this.calls(method, url, body), method, url, body);
  }

  /** Opens a page; returns the status, where it redirects to, and its text. */
  async opens(url: string | URL): Promise<{ status: number; to: string | undefined; text: string }> {
    const { statusCode: status, headers, body: text } = await this.#asks('GET', String(url));
    return { status, to: headers.location, text };
  }

  async #asks(method: Method, url: string, body?: object) {
    const { pathname, search } = new URL(url, 'http://localhost');
    const answer = await this.#world.app.inject({
      method,
      url: pathname + search,
      headers: { cookie: this.cookie, 'sec-fetch-site': 'same-origin' },
      ...(body && { payload: body }),
    });
    this.#keep([answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

/** A server with a provider that a test controls. */
export async function providerScene(
  t: TestContext,
  settings: Partial<AddProvider> = {},
  options?: TestPlatformOptions,
) {
  const provider = await OpenIdProvider.start();
  t.after(() => provider[Symbol.asyncDispose]());
  const world = await createWorldFor(t, { webhookTrustedHosts: ['localhost'] }, options);
  // The library that verifies tokens goes by the clock of the machine.
  world.clock.advance({ milliseconds: Date.now() - world.clock.now() });
  const { providerId } = await world.signInProviders.addProvider(
    { ...provider.settings, ...settings },
    async () => {},
  );
  /** Goes to the provider; returns its address. */
  const leaves = async (browser: CookieBrowser, returnTo = '/'): Promise<string> =>
    (await browser.gets('POST', `/api/auth/providers/${providerId}`, { returnTo })).url;
  return {
    world,
    provider,
    providerId,
    browser: (cookie?: string) => new CookieBrowser(world, cookie),
    leaves,
    /** Goes to the provider, is signed in there with these claims, and comes back. */
    signsIn: async (browser: CookieBrowser, claims: object, returnTo?: string) =>
      browser.opens(provider.grants(await leaves(browser, returnTo), { ...claims })),
    /** Who is signed in in a browser. */
    async whoIs(browser: CookieBrowser): Promise<string | undefined> {
      const { status, body } = await browser.calls('GET', '/api/auth/session');
      return status === 200 ? body.data.account.accountId : undefined;
    },
  };
}
