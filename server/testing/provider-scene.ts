import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AddProvider } from '#contract/operate/providers.ts';
import { type Answer, readAnswer } from './answers.ts';
import { OpenIdProvider } from './openid-provider.ts';
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
    const answer = await this.calls(method, url, body);
    assert.ok(answer.status < 300, `${method} ${url} answered ${JSON.stringify(answer.body)}`);
    return answer.body.data;
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

export interface ProviderScene {
  world: World;
  provider: OpenIdProvider;
  providerId: string;
  browser(cookie?: string): CookieBrowser;
  /** Goes to the provider; returns its address. */
  leaves(browser: CookieBrowser, returnTo?: string): Promise<string>;
  /** Goes to the provider, is signed in there with these claims, and comes back. */
  signsIn(browser: CookieBrowser, claims: object, returnTo?: string): ReturnType<CookieBrowser['opens']>;
  /** Who is signed in in a browser. */
  whoIs(browser: CookieBrowser): Promise<string | undefined>;
}

/** A server with a provider that a test controls. */
export async function providerScene(
  t: TestContext,
  settings: Partial<AddProvider> = {},
): Promise<ProviderScene> {
  const provider = await OpenIdProvider.start();
  t.after(() => provider[Symbol.asyncDispose]());
  const world = await createWorldFor(t, { webhookTrustedHosts: ['localhost'] });
  // The library that verifies tokens goes by the clock of the machine.
  world.clock.advance({ milliseconds: Date.now() - world.clock.now() });
  const { providerId } = await world.signInProviders.addProvider(
    { ...provider.settings, ...settings },
    async () => {},
  );
  const scene: ProviderScene = {
    world,
    provider,
    providerId,
    browser: (cookie) => new CookieBrowser(world, cookie),
    async leaves(browser, returnTo = '/') {
      return (await browser.gets('POST', `/api/auth/providers/${providerId}`, { returnTo })).url;
    },
    signsIn: async (browser, claims, returnTo) =>
      browser.opens(provider.grants(await scene.leaves(browser, returnTo), { ...claims })),
    async whoIs(browser) {
      const { status, body } = await browser.calls('GET', '/api/auth/session');
      return status === 200 ? body.data.account.accountId : undefined;
    },
  };
  return scene;
}
