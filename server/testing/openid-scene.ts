import assert from 'node:assert/strict';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { Config } from '#platform/config.ts';
import { postForm } from './html-page.ts';
import { type OAuthClient, REDIRECT_URI } from './oauth-client.ts';
import type { TestPlatformOptions } from './platform.ts';
import { createWorld, type Person, type World } from './world.ts';

/** The response that a browser gets. */
export interface Visited {
  status: number;
  page: string;
  /** The target of the redirect, if any. */
  to: URL | undefined;
}

/** An application with OpenID Connect, a person, and the person's browser. */
export class OpenIdScene implements AsyncDisposable {
  readonly world: World;
  readonly client: OAuthClient;
  readonly person: Person;

  private constructor(world: World, client: OAuthClient, person: Person) {
    this.world = world;
    this.client = client;
    this.person = person;
  }

  static async create(config: Partial<Config> = {}, options: TestPlatformOptions = {}): Promise<OpenIdScene> {
    const world = await createWorld(config, options);
    const client = await world.client();
    await switchOpenId(client, true);
    return new OpenIdScene(world, client, await world.person('Ada'));
  }

  /** The URL of an authorization request; undefined removes a parameter. */
  url(change: Record<string, string | undefined> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.client.appId,
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      ...change,
    };
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => !!entry[1]);
    return `/oauth/authorize?${new URLSearchParams(given)}`;
  }

  /** @param cookie of a signed-in person; null if nobody is signed in */
  async visits(url: string, cookie: string | null = this.person.cookie): Promise<Visited> {
    const headers = cookie === null ? {} : { cookie };
    const answer = await this.world.app.inject({ url, headers });
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      page: answer.body,
      to: typeof location === 'string' ? new URL(location, 'http://localhost:3000') : undefined,
    };
  }

  /** The parameters of the redirect to the application. */
  async redirectParams(change: Record<string, string | undefined> = {}, cookie?: string | null) {
    const { to } = await this.visits(this.url(change), cookie);
    if (!to?.href.startsWith(REDIRECT_URI)) assert.fail(to?.href);
    return Object.fromEntries(to.searchParams);
  }

  /** Approves on the consent page; returns the code. */
  async approves(change: Record<string, string | undefined> = {}): Promise<string> {
    const { status, page } = await this.visits(this.url(change));
    assert.equal(status, 200, page);
    return this.decides(page);
  }

  async decides(page: string, cookie = this.person.cookie): Promise<string> {
    return (await this.sentBack(page, cookie)).get('code') ?? assert.fail('no code');
  }

  /** Approves on a consent page; returns the parameters of the redirect. */
  async sentBack(page: string, cookie = this.person.cookie): Promise<URLSearchParams> {
    const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? assert.fail('no question');
    const fields = { consent, decision: 'approve' };
    const answer = await postForm(this.world, '/oauth/consent', fields, { cookie });
    return new URL(String(answer.headers.location)).searchParams;
  }

  /** Approves and exchanges the code; returns the body of the response. */
  async signsIn(change: Record<string, string | undefined> = {}) {
    const { status, body } = await this.client.exchanges(await this.approves(change));
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** The claims of an ID token, verified as by an application. */
  async claims(idToken: string): Promise<JWTPayload> {
    const keys = createLocalJWKSet((await this.world.app.inject('/oauth/jwks')).json());
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: 'http://localhost:3000',
      audience: this.client.appId,
      algorithms: ['ES256'],
      currentDate: new Date(this.world.clock.now()),
    });
    return payload;
  }

  /** A new session in the browser, as after a sign-in. */
  async signsInAgain(methods: ('pwd' | 'otp' | 'pop')[] = ['pwd']): Promise<void> {
    const session = this.person.cookie.split('=')[1] ?? '';
    await this.world.db`
      update sessions set authenticated_at = ${this.world.clock.now()}, methods = ${methods}
      where account_id = ${session.split('.')[0] ?? ''}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

export async function switchOpenId(client: OAuthClient, isEnabled: boolean): Promise<void> {
  const path = `/api/console/applications/${client.appId}/extensions`;
  const method = isEnabled ? 'POST' : 'DELETE';
  assert.equal((await client.owner.calls(method, path, { extension: 'openid' })).status, 200);
}
