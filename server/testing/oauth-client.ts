import type { GrantedScope } from '#contract/scopes.ts';
import type { Person as SignedIn } from '#features/accounts/index.ts';
import { parseCredential } from '#features/accounts/sessions/session.ts';
import { addRedirectUri } from '#features/applications/console.ts';
import { createApplication } from '#features/applications/create.ts';
import type { Asking, AuthorizationFault, Redirection } from '#features/oauth/authorize/authorize.ts';
import type { App } from '#platform/http/app.ts';
import type { Features } from '../app.ts';
import type { Person } from './actors.ts';
import type { Answer } from './answers.ts';
import type { TestPlatform } from './platform.ts';

export const REDIRECT_URI = 'https://app.example.com/callback';

interface Somebody {
  accountId: string;
  cookie: string;
}

/** The server that the application uses. */
interface Environment extends Omit<TestPlatform & Features, typeof Symbol.asyncDispose> {
  app: App;
  person(name: string): Promise<Person>;
}

export interface Asked {
  person: Somebody;
  scopes?: readonly GrantedScope[];
  state?: string;
  challenge?: string;
  redirectUri?: string;
}

export interface Tokens {
  access: string;
  refresh: string;
}

/** A third-party application as its own server sees it. */
export class OAuthClient {
  readonly appId: string;
  readonly secret: string;
  readonly owner: Person;
  readonly #world: Environment;

  private constructor(world: Environment, client: { appId: string; secret: string; owner: Person }) {
    this.#world = world;
    this.appId = client.appId;
    this.secret = client.secret;
    this.owner = client.owner;
  }

  static async create(world: Environment, { name = 'Calendar' } = {}): Promise<OAuthClient> {
    const owner = await world.person('Owner');
    const { appId, clientSecret } = await createApplication(world, owner.accountId, name);
    await addRedirectUri(world, { actorId: owner.accountId, appId }, REDIRECT_URI);
    return new OAuthClient(world, { appId, secret: clientSecret, owner });
  }

  /** The credentials as fields of a body. */
  get credentials() {
    return { client_id: this.appId, client_secret: this.secret };
  }

  get basic() {
    return `Basic ${Buffer.from(`${this.appId}:${this.secret}`).toString('base64')}`;
  }

  /** The URL to which the person's browser is sent back. */
  async asks(asked: Asked, isApproved = true): Promise<URL> {
    const reading = await this.reads(asked);
    if (!('request' in reading)) throw new Error(JSON.stringify(reading));
    const person = signedIn(asked.person);
    const consent = this.#world.oauth.createConsent({ request: reading.request, person });
    const decided = await this.#world.oauth.decideConsent({ consent, person, isApproved });
    if ('fault' in decided) throw new Error(decided.fault.message);
    return new URL(decided.redirectTo);
  }

  reads({
    scopes = ['profile'],
    state,
    challenge,
    redirectUri,
  }: Asked): Promise<Asking | AuthorizationFault | Redirection> {
    return this.#world.oauth.readAuthorizationRequest({
      response_type: 'code',
      client_id: this.appId,
      redirect_uri: redirectUri ?? REDIRECT_URI,
      scope: scopes.join(' '),
      ...(state !== undefined && { state }),
      ...(challenge !== undefined && { code_challenge: challenge, code_challenge_method: 'S256' }),
    });
  }

  async code(asked: Asked): Promise<string> {
    return (await this.asks(asked)).searchParams.get('code') as string;
  }

  exchanges(code: string, more: object = {}): Promise<Answer> {
    return this.posts('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      ...this.credentials,
      ...more,
    });
  }

  refreshes(refreshToken: string, more: object = {}): Promise<Answer> {
    return this.posts('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...this.credentials,
      ...more,
    });
  }

  revokes(token: string, more: object = {}): Promise<Answer> {
    return this.posts('/oauth/revoke', { token, ...this.credentials, ...more });
  }

  /** Consent, code and exchange at once. */
  async tokens(asked: Asked): Promise<Tokens> {
    const { status, body } = await this.exchanges(await this.code(asked));
    if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
    return { access: body.access_token, refresh: body.refresh_token };
  }

  async posts(url: string, payload: object | string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.#world.app.inject({ method: 'POST', url, payload, headers });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  /** Calls the public API with an access token. */
  async calls(
    token: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET',
    url = '/v1/me',
    payload?: object,
  ): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await this.#world.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }
}

/** The session of a person in the world. */
export function signedIn(person: Somebody): SignedIn {
  const key = parseCredential(person.cookie.slice(person.cookie.indexOf('=') + 1));
  if (!key) throw new Error('the cookie is no credential');
  const peer = { userId: key.accountId, name: '', isBot: false, isDeleted: false };
  return { ...key, authenticatedAt: 0, termsUrl: null, peer };
}
