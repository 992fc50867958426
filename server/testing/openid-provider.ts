import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { AddProvider } from '#contract/operate/providers.ts';
import { listening } from './free-port.ts';

/** A provider as an operator adds it; nobody answers there. */
export const COMPANY: AddProvider = {
  name: 'Company',
  issuer: 'https://login.example.com',
  clientId: 'parley',
  clientSecret: 'secret',
  domains: [],
  findsByEmail: false,
  createsAccounts: true,
  passwordsOff: false,
  needsSecondFactor: false,
};

/** A request that the provider has granted, until its code is exchanged. */
interface Granted {
  clientId: string;
  nonce: string;
  challenge: string;
  redirectUri: string;
  claims: Claims;
}

/** Claims as a test wants them: `undefined` leaves one out. */
type Claims = Record<string, unknown>;

/** How a provider misbehaves; by default it does not. */
interface Misbehaviour {
  /** Changes the claims of the ID token before they are signed. */
  claims?: (claims: Claims) => Claims;
  /** Signs with a key that it has not published. */
  hasOtherKey?: boolean;
  /** Never answers at the token endpoint. */
  hangs?: boolean;
  /** How it refuses a client; by default with 401 `invalid_client`. */
  refusal?: { headers?: Record<string, string>; error: string };
}

type Keys = Record<'own' | 'other', { privateKey: CryptoKey; publicKey: CryptoKey }>;

/** Those of every provider: making them takes longer than most tests. */
let keys: Promise<Keys> | undefined;

async function generateKeys(): Promise<Keys> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  return { own, other };
}

/**
 * An OpenID provider whose every answer a test decides: it grants what it is asked, and can lie. Codes are used once, PKCE,
 * client and redirect URI are checked.
 */
export class OpenIdProvider implements AsyncDisposable {
  readonly issuer: string;
  readonly client = { id: 'parley', secret: 'the secret of parley & co' };
  misbehaves: Misbehaviour = {};
  /** Requests at the token endpoint. */
  exchanges = 0;
  readonly #server: Server;
  readonly #granted = new Map<string, Granted>();
  readonly #keys: Keys;

  private constructor(server: Server, port: number, keys: Keys) {
    this.#server = server;
    this.#keys = keys;
    this.issuer = `http://localhost:${port}`;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end());
    });
  }

  static async start(): Promise<OpenIdProvider> {
    const server = createServer();
    const port = await listening(server, 'localhost');
    keys ??= generateKeys();
    return new OpenIdProvider(server, port, await keys);
  }

  /** As an operator adds it. */
  get settings(): AddProvider {
    const { id: clientId, secret: clientSecret } = this.client;
    return { ...COMPANY, issuer: this.issuer, clientId, clientSecret };
  }

  /** The person signs in here and consents; returns the address to which the browser is sent back. */
  grants(authorization: string, claims: Claims): URL {
    const asked = Object.fromEntries(new URL(authorization).searchParams);
    const code = crypto.randomUUID();
    this.#granted.set(code, {
      clientId: asked['client_id'] ?? '',
      nonce: asked['nonce'] ?? '',
      challenge: asked['code_challenge'] ?? '',
      redirectUri: asked['redirect_uri'] ?? '',
      claims,
    });
    const back = new URL(asked['redirect_uri'] ?? '');
    back.search = String(new URLSearchParams({ code, state: asked['state'] ?? '', iss: this.issuer }));
    return back;
  }

  /** A token signed by the provider. */
  sign(claims: Claims, { typ = 'JWT', key = 'own' as 'own' | 'other' } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: this.issuer, aud: this.client.id, iat: now, exp: now + 120, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'own', typ })
      .sign(this.#keys[key].privateKey);
  }

  /** A back-channel logout token. */
  signsOut(claims: Claims, change: Claims = {}): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    return this.sign({ jti: crypto.randomUUID(), events, ...claims, ...change }, { typ: 'logout+jwt' });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return void send(200, this.#metadata());
      case '/keys': {
        // A strict provider serves them only as what they are (RFC 7517 §8.5).
        if (!request.headers.accept?.includes('application/jwk-set+json')) return void send(406, {});
        const key = await exportJWK(this.#keys.own.publicKey);
        return void send(200, { keys: [{ ...key, kid: 'own', alg: 'RS256', use: 'sig' }] });
      }
      case '/token': {
        this.exchanges++;
        if (this.misbehaves.hangs) return;
        const { status, body, headers } = await this.#exchange(await readForm(request));
        return void send(status, body, headers);
      }
      default:
        send(404, {});
    }
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async #exchange(
    form: URLSearchParams,
  ): Promise<{ status: number; body: object; headers?: Record<string, string> }> {
    if (form.get('client_id') !== this.client.id || form.get('client_secret') !== this.client.secret) {
      const { error, headers = {} } = this.misbehaves.refusal ?? { error: 'invalid_client' };
      return { status: 401, body: { error }, headers };
    }
    const code = form.get('code') ?? '';
    const granted = this.#granted.get(code);
    this.#granted.delete(code);
    const isRight =
      granted?.redirectUri === form.get('redirect_uri') &&
      granted?.challenge === hash('sha256', form.get('code_verifier') ?? '', 'base64url');
    if (!granted || !isRight) return { status: 400, body: { error: 'invalid_grant' } };
    const { claims = (given) => given, hasOtherKey } = this.misbehaves;
    const idToken = await this.sign(claims({ nonce: granted.nonce, ...granted.claims }), {
      key: hasOtherKey ? 'other' : 'own',
    });
    return { status: 200, body: { access_token: 'at', token_type: 'Bearer', id_token: idToken } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request) text += part;
  return new URLSearchParams(text);
}
