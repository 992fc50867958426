import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Actor, Credential } from '#features/applications/actor.ts';
import { isApiKey } from '#features/applications/api-key.ts';
import { ApiKeys, NotConfirmed, type Recalled } from '#features/applications/credentials.ts';
import { Quota, type QuotaLeft } from '#features/applications/quota.ts';
import { createAccessTokenAuthenticator } from '#features/oauth/access-token.ts';
import { ApiError, applicationHasNoBot, permissionDenied, unauthenticated } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route of the public API says so, or the boot stops. */
    access?: Access;
    /** Method and pattern: what a quota is counted for. */
    endpoint?: string;
  }
  interface FastifyRequest {
    actor: Actor;
    /** Of every request that presented a good one, those too that were turned away after it. */
    credential: Pick<Credential, 'appId' | 'kind'> | null;
    /** What the work has to compare with the database, when the key was recalled and not looked up. */
    recalled: Recalled | null;
    /** What is left of the quota that it counts against. */
    quota: QuotaLeft | null;
    /** Does the work as the actor; once more, after the key was looked up, when it finds the key changed. */
    actAs<T>(work: (actor: Actor, recalled: Recalled | null) => Promise<T>): Promise<T>;
    /** Asks whether the credential would be admitted now too; for answers that outlive the request. */
    toAdmissionCheck(): () => Promise<boolean>;
  }
}

export const REALM = 'Bearer realm="parley"';

/** Who may pass the door of the public API: credential, application state, scope, quota, bot, in this order. */
export class Admission {
  readonly #keys: ApiKeys;
  readonly #authenticateAccessToken: (token: string) => Promise<Credential | undefined>;
  readonly #quota: Quota;

  constructor(platform: Platform) {
    this.#keys = new ApiKeys(platform);
    this.#authenticateAccessToken = createAccessTokenAuthenticator(platform);
    this.#quota = new Quota(platform);
  }

  /** @throws ApiError 401, 403, 422 or 429 */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = bearerToken(request);
    const { access, endpoint } = readRoute(request);
    const known = this.#recall(token, access, request);
    if (known && !refuse(known, access)) {
      const { left, headers, exceeded } = await this.#quota.count(known, endpoint);
      if (!exceeded) {
        reply.headers(headers);
        request.quota = left;
        request.recalled = known.recalled;
        letIn(request, known);
        return;
      }
    }
    const credential = await this.#look(token, request, access);
    const { left, headers, exceeded } = await this.#quota.count(credential, endpoint);
    reply.headers(headers);
    request.quota = left;
    if (exceeded) throw exceeded;
    letIn(request, credential);
  }

  /**
   * Looks a recalled key up after all.
   *
   * @throws ApiError what the door would have answered
   */
  async confirm(request: FastifyRequest): Promise<void> {
    if (!request.recalled) return;
    const { access, endpoint } = readRoute(request);
    const { kind, appId } = request.actor;
    request.recalled = null;
    request.credential = null;
    const credential = await this.#look(bearerToken(request), request, access).catch(async (error) => {
      // The door would not have counted it.
      request.quota = null;
      await this.#quota.uncount({ kind, appId }, endpoint);
      throw error;
    });
    letIn(request, credential);
  }

  actAs<T>(
    request: FastifyRequest,
    work: (actor: Actor, recalled: Recalled | null) => Promise<T>,
  ): Promise<T> {
    const done = work(request.actor, request.recalled);
    if (!request.recalled) return done;
    return done.catch(async (error) => {
      if (!(error instanceof NotConfirmed)) throw error;
      await this.confirm(request);
      return work(request.actor, null);
    });
  }

  /** Holds nothing of the request. */
  toCheck(request: FastifyRequest): () => Promise<boolean> {
    const token = bearerToken(request);
    return async () => {
      const credential = await this.#authenticate(token);
      return credential?.applicationState === 'active' && credential.accountId !== undefined;
    };
  }

  /** A repeated request may be answered without the statement that would compare the key. */
  #recall(token: string, { confirmsKeys }: Access, { headers }: FastifyRequest) {
    const mayRecall = confirmsKeys && headers['idempotency-key'] === undefined && isApiKey(token);
    return mayRecall ? this.#keys.recall(token) : undefined;
  }

  async #look(token: string, request: FastifyRequest, access: Access): Promise<Credential> {
    const credential = await this.#authenticate(token);
    if (!credential)
      throw unauthenticated('the token is invalid, revoked or expired', `${REALM}, error="invalid_token"`);
    request.credential = credential;
    const refusal = refuse(credential, access);
    if (refusal) throw refusal;
    return credential;
  }

  #authenticate(token: string): Promise<Credential | undefined> {
    return isApiKey(token) ? this.#keys.authenticate(token) : this.#authenticateAccessToken(token);
  }
}

function readRoute({ route: { config } }: FastifyRequest) {
  return { access: config.access as Access, endpoint: config.endpoint as string };
}

/** Why a known credential may not call the route at all. */
function refuse({ applicationState, kind, scopes }: Credential, access: Access): ApiError | undefined {
  if (applicationState !== 'active') return permissionDenied(`the application is ${applicationState}`);
  if (!access.actors.includes(kind)) {
    return permissionDenied(
      kind === 'bot'
        ? 'this endpoint takes an OAuth access token, no API key'
        : 'this endpoint takes an API key, no OAuth token',
    );
  }
  if (!access.scope || scopes.includes(access.scope)) return undefined;
  return new ApiError(403, 'permission-denied', `the scope ${access.scope} is missing`, {
    'www-authenticate': `${REALM}, error="insufficient_scope", scope="${access.scope}"`,
  });
}

/** @throws ApiError 422 when there is no bot to act as */
function letIn(request: FastifyRequest, credential: Credential): void {
  const { kind, appId, accountId, scopes } = credential;
  request.credential = credential;
  if (accountId === undefined) throw applicationHasNoBot();
  request.actor = { kind, appId, accountId, scopes };
}

/** The token of the one `Authorization` header; Node would join or drop a second one in silence. */
function bearerToken({ raw: { rawHeaders } }: FastifyRequest): string {
  let header: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (header !== undefined)
      throw unauthenticated(
        'there is more than one Authorization header',
        `${REALM}, error="invalid_request"`,
      );
    header = rawHeaders[i + 1];
  }
  if (header === undefined) throw unauthenticated('the Authorization header is missing', REALM);
  const match = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header);
  if (!match)
    throw unauthenticated(
      'the Authorization header must be: Bearer <token>',
      `${REALM}, error="invalid_token"`,
    );
  return match[1] as string;
}
