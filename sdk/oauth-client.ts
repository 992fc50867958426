import { ParleyError } from './error.ts';
import { Person } from './person.ts';
import { required, requiredSecret } from './required.ts';
import { Service, type ServiceOptions } from './service.ts';
import { MemoryTokenStore, type TokenSet, type TokenStore } from './tokens.ts';
import type { OAuthScope, TokenReply } from './wire.ts';

/** The application's registration, and the store of its tokens. */
export interface OAuthClientOptions extends ServiceOptions {
  /** The App ID. */
  clientId: string | undefined;
  /** It must never leave the application's server. */
  clientSecret: string | undefined;
  /** Exactly as registered in the console. */
  redirectUri: string | undefined;
  /** In memory by default. */
  tokens?: TokenStore;
}

/** Store this in the browser's session until the person returns. */
export interface PendingLogin {
  state: string;
  codeVerifier: string;
}

/** A token is refreshed this long before it expires, since the call that uses it takes time. */
const MARGIN_MS = 30_000;

/**
 * Login with OAuth 2.0, for the application's server.
 *
 * @example
 * const oauth = new OAuthClient({ baseUrl, clientId, clientSecret, redirectUri });
 * const { url, ...pending } = await oauth.authorize({ scopes: ['profile', 'stories:write'] });
 * console.log(url); // send the person there; keep `pending` in the person's session
 */
export class OAuthClient {
  readonly #service: Service;
  readonly #client: { client_id: string; client_secret: string };
  readonly #redirectUri: string;
  readonly #tokens: TokenStore;
  readonly #refreshing = new Map<string, Promise<string>>();

  constructor({ clientId, clientSecret, redirectUri, tokens, ...serviceOptions }: OAuthClientOptions) {
    this.#service = new Service(serviceOptions);
    this.#client = {
      client_id: required('clientId', clientId),
      client_secret: requiredSecret('clientSecret', 'xcs_', clientSecret),
    };
    this.#redirectUri = required('redirectUri', redirectUri);
    this.#tokens = tokens ?? new MemoryTokenStore();
  }

  /**
   * The URL to send the person's browser to, with a random state and PKCE (S256).
   *
   * @example
   * const { url, state, codeVerifier } = await oauth.authorize({ scopes: ['profile'] });
   */
  async authorize({ scopes }: { scopes: readonly OAuthScope[] }): Promise<PendingLogin & { url: string }> {
    const state = randomText();
    const codeVerifier = randomText();
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#client.client_id,
      redirect_uri: this.#redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: toBase64Url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    });
    return { url: `${this.#service.baseUrl}/oauth/authorize?${query}`, state, codeVerifier };
  }

  /**
   * Exchanges the callback's code for tokens, and stores these under `key`.
   *
   * @param callback the URL that the browser requested, or its query
   * @param pending the result of `authorize()` for this browser
   * @throws ParleyError `permission-denied` if the person refused (`oauthError` is `access_denied`), or for another error with
   * which the person returned; `invalid-argument` if the state is not the one that this browser was given
   * @example
   * const { url, ...pending } = await oauth.authorize({ scopes: ['profile'] });
   * const callback = await consentAt(url);
   * const person = await oauth.exchange(callback, pending, 'session-1');
   * console.log((await person.getUserInfo()).name);
   */
  async exchange(
    callback: string | URL | URLSearchParams,
    pending: PendingLogin,
    key: string,
  ): Promise<Person> {
    const query =
      callback instanceof URLSearchParams ? callback : new URL(callback, 'http://localhost').searchParams;
    if (query.get('state') !== pending.state) {
      throw new ParleyError('state differs from the one that was sent', {
        status: 400,
        code: 'invalid-argument',
      });
    }
    const oauthError = query.get('error');
    if (oauthError) {
      throw new ParleyError(query.get('error_description') ?? 'the person denied access', {
        status: 403,
        code: 'permission-denied',
        oauthError,
      });
    }
    await this.#tokens.update(key, () =>
      this.#request({
        grant_type: 'authorization_code',
        code: query.get('code') ?? '',
        redirect_uri: this.#redirectUri,
        code_verifier: pending.codeVerifier,
      }),
    );
    return this.person(key);
  }

  /**
   * A person whose tokens are stored under `key`. Expired access tokens are refreshed once for all concurrent calls.
   *
   * @example
   * const person = oauth.person('ada');
   * await person.addToStory({ type: 'text', text: 'On the summit!' });
   */
  person(key: string): Person {
    return new Person(async (request) => {
      const send = (accessToken: string) =>
        this.#service.call({
          ...request,
          headers: { ...request.headers, authorization: `Bearer ${accessToken}` },
        });
      const accessToken = await this.getAccessToken(key);
      try {
        return await send(accessToken);
      } catch (error) {
        // It may have become invalid early: a refresh elsewhere ends the previous access token.
        if (!(error instanceof ParleyError) || error.status !== 401) throw error;
        return send(await this.#refreshOnce(key, accessToken));
      }
    });
  }

  /**
   * A valid access token, refreshed if necessary; `person()` does this automatically. Refused tokens stay in the store until
   * the next consent or `revoke()`: those of a suspended person are valid again afterwards.
   *
   * @throws ParleyError `unauthenticated` if there are no tokens, or the consent has ended: request it again
   * @example
   * const accessToken = await oauth.getAccessToken('ada');
   */
  async getAccessToken(key: string): Promise<string> {
    const current = await this.#tokens.read(key);
    if (current && this.#isFresh(current)) return current.accessToken;
    return this.#refreshOnce(key, current?.accessToken);
  }

  /**
   * Ends the consent with all its tokens: for logging out. Always succeeds for this client's own tokens.
   *
   * @example
   * await oauth.revoke('session-2');
   */
  async revoke(key: string): Promise<void> {
    await this.#tokens.update(key, async (current) => {
      if (current) {
        const body = { ...this.#client, token: current.refreshToken };
        await this.#service.call({ method: 'POST', path: '/oauth/revoke', body });
      }
      return undefined;
    });
  }

  #isFresh({ expiresAt }: TokenSet): boolean {
    return this.#service.now() < expiresAt - MARGIN_MS;
  }

  /** Concurrent calls with the same rejected token share one rotation. */
  #refreshOnce(key: string, failed: string | undefined): Promise<string> {
    const running = this.#refreshing.get(key);
    if (running) return running;
    const refreshing = this.#refresh(key, failed).finally(() => this.#refreshing.delete(key));
    this.#refreshing.set(key, refreshing);
    return refreshing;
  }

  async #refresh(key: string, failed: string | undefined): Promise<string> {
    const next = await this.#tokens.update(key, async (current) => {
      if (!current) return undefined;
      // Another process has already rotated it.
      if (current.accessToken !== failed && this.#isFresh(current)) return current;
      return this.#request({ grant_type: 'refresh_token', refresh_token: current.refreshToken });
    });
    if (next) return next.accessToken;
    throw new ParleyError('there are no tokens for this person: ask for consent', {
      status: 401,
      code: 'unauthenticated',
    });
  }

  /**
   * Retried like any call: if the response to a rotation is lost, so are its tokens, and a retry can only help, in case the
   * first request never arrived.
   */
  async #request(grant: Record<string, string>): Promise<TokenSet> {
    const body = { ...grant, ...this.#client };
    const reply = (await this.#service.call({ method: 'POST', path: '/oauth/token', body })) as TokenReply;
    return {
      accessToken: reply.access_token,
      refreshToken: reply.refresh_token,
      expiresAt: this.#service.now() + reply.expires_in * 1000,
      scopes: reply.scope.split(' ') as OAuthScope[],
    };
  }
}

/** 256 random bits as URL-safe text. */
function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
}
