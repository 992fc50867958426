import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoints.ts';
import {
  type Actor,
  type Applications,
  type CachedCredential,
  type Credential,
  isApiKey,
  type KeyAge,
  KeyChanged,
  type QuotaLeft,
  REALM,
  scopeMissing,
  tokenInvalid,
} from '#features/applications/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import { type Database, isUnavailable } from '#platform/database.ts';
import { type ApiError, applicationHasNoBot, permissionDenied, unauthenticated } from '#platform/errors.ts';
import type { RequestSlot } from '#platform/http/connections/request-slot.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. The server does not start if a route of the public API lacks this. */
    access?: Access;
    /** Method and path pattern, the unit of the quota. */
    endpoint?: string;
  }
}

/** The state of a request to the public API. */
export interface Call {
  /** Set once a valid credential was presented, also if the request was refused later. */
  credential: Pick<Credential, 'appId' | 'kind' | 'fingerprint'> | undefined;
  /** The remainder of the quota that the request counts against. */
  quota: QuotaLeft | undefined;
  /** Set once the request is admitted. */
  actor: Actor | undefined;
  /** The error that the request was answered with. */
  failure: ApiError | undefined;
}

/** Who may call the public API: credential, application state, scope, quota, bot, in this order. */
export function createAdmission(
  { applications, oauth, db }: { applications: Applications; oauth: OAuth; db: Pick<Database, 'isPartAway'> },
  calls: RequestSlot<Call>,
) {
  /** @throws ApiError 401, 403, 422 or 429 */
  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const call: Call = { credential: undefined, quota: undefined, actor: undefined, failure: undefined };
    calls.set(request, call);
    const token = bearerToken(request);
    const { access, endpoint } = readRoute(request);
    const enterCached = async (age?: KeyAge) => {
      const cached = findCached(token, access, request, age);
      return cached !== undefined && (await enterAs(cached, call, { access, endpoint, reply }));
    };
    // A lookup would wait for the node, and the request would time out before the lookup failed.
    if (await enterCached({ mayBeOld: db.isPartAway })) return;
    let credential: Credential;
    try {
      credential = await lookUp(token, call, access);
    } catch (error) {
      // On Citus the application may be on an unreachable node while its messages are on another.
      if (isUnavailable(error) && (await enterCached({ mayBeOld: true }))) return;
      throw error;
    }
    const { left, headers, exceeded } = await applications.quota.count(
      credential,
      endpoint,
      access.quotaTimes,
    );
    reply.headers(headers);
    call.quota = left;
    if (exceeded) throw exceeded;
    call.actor = toActor(credential);
  }

  /** Returns false if the key has to be looked up. */
  async function enterAs(
    { credential, actor }: CachedCredential,
    call: Call,
    { access, endpoint, reply }: { access: Access; endpoint: string; reply: FastifyReply },
  ): Promise<boolean> {
    if (refuse(credential, access)) return false;
    const { left, headers, exceeded } = await applications.quota.count(
      credential,
      endpoint,
      access.quotaTimes,
    );
    if (exceeded) return false;
    reply.headers(headers);
    Object.assign(call, { quota: left, credential, actor });
    return true;
  }

  /**
   * Looks up a key that was admitted from the cache.
   *
   * @throws the ApiError with which the request would have been refused
   */
  async function confirm(request: FastifyRequest): Promise<void> {
    const call = calls.find(request);
    if (!call?.actor?.cachedKey) return;
    const { access, endpoint } = readRoute(request);
    const { kind, appId } = call.actor;
    call.actor = undefined;
    call.credential = undefined;
    const credential = await lookUp(bearerToken(request), call, access).catch(async (error) => {
      // Without the cached key the request would not have been counted.
      call.quota = undefined;
      await applications.quota.uncount({ kind, appId }, endpoint);
      throw error;
    });
    call.actor = toActor(credential);
  }

  /** Admits a request that goes on; it is counted once. @throws ApiError 401, 403 or 422 */
  async function readmit(request: FastifyRequest): Promise<void> {
    const call = calls.get(request);
    const token = bearerToken(request);
    const { access } = readRoute(request);
    const cached = findCached(token, access, request);
    call.actor =
      cached && !refuse(cached.credential, access)
        ? cached.actor
        : toActor(await lookUp(token, call, access));
  }

  /** Runs the work as the actor. If the cached key turns out to have changed, looks it up and runs the work again. */
  function actAs<T>(request: FastifyRequest, work: (actor: Actor) => Promise<T>): Promise<T> {
    const actor = actorOf(request);
    const done = work(actor);
    if (!actor.cachedKey) return done;
    return done.catch(async (error) => {
      if (!(error instanceof KeyChanged)) throw error;
      await confirm(request);
      return work(actorOf(request));
    });
  }

  /**
   * Returns a check that the credential would still be admitted, for what outlives the request; it does not retain the request.
   *
   * @param counted an endpoint towards whose quota the check counts
   */
  function toCheck(request: FastifyRequest, counted?: string): () => Promise<boolean> {
    const token = bearerToken(request);
    const { access } = readRoute(request);
    return async () => {
      const credential = await authenticate(token);
      if (credential?.accountId === undefined || refuse(credential, access)) return false;
      return counted === undefined || !(await applications.quota.count(credential, counted)).exceeded;
    };
  }

  function actorOf(request: FastifyRequest): Actor {
    return calls.get(request).actor as Actor;
  }

  /** Not for idempotent retries: they may be answered without the statement that would compare the key. */
  function findCached(token: string, { confirmsKeys }: Access, { headers }: FastifyRequest, age?: KeyAge) {
    const mayBeCached = confirmsKeys && headers['idempotency-key'] === undefined && isApiKey(token);
    return mayBeCached ? applications.findCachedKey(token, age) : undefined;
  }

  async function lookUp(token: string, call: Call, access: Access): Promise<Credential> {
    const credential = await authenticate(token);
    if (!credential) throw tokenInvalid(token);
    call.credential = credential;
    const refusal = refuse(credential, access);
    if (refusal) throw refusal;
    return credential;
  }

  function authenticate(token: string): Promise<Credential | undefined> {
    return isApiKey(token) ? applications.authenticateKey(token) : oauth.authenticateAccessToken(token);
  }

  return { enter, confirm, readmit, actAs, toCheck };
}

export type Admission = ReturnType<typeof createAdmission>;

function readRoute({ route: { config } }: FastifyRequest) {
  return { access: config.access as Access, endpoint: config.endpoint as string };
}

/** The reason why a known credential may not call the route, if there is one. */
function refuse({ applicationState, kind, scopes }: Credential, access: Access): ApiError | undefined {
  if (applicationState !== 'active')
    return permissionDenied('application.not-active', { state: applicationState });
  if (!access.actors.includes(kind)) {
    return permissionDenied(kind === 'bot' ? 'credential.no-api-key' : 'credential.no-oauth-token');
  }
  return access.scope && !hasScope(access, scopes) ? scopeMissing(access.scope, kind) : undefined;
}

/** Whether these scopes are enough, where the route needs any. */
export function hasScope({ scope, orScope }: Access, scopes: Credential['scopes']): boolean {
  return !scope || scopes.includes(scope) || (orScope !== undefined && scopes.includes(orScope));
}

/** @throws ApiError 422 when there is no bot to act as */
function toActor({ kind, appId, accountId, scopes }: Credential): Actor {
  if (accountId === undefined) throw applicationHasNoBot();
  return { kind, appId, accountId, scopes };
}

/** The token of the one `Authorization` header; Node would silently join or drop a second one. */
export function bearerToken({ raw: { rawHeaders } }: FastifyRequest): string {
  let header: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (header !== undefined)
      throw unauthenticated('credential.repeated', `${REALM}, error="invalid_request"`);
    header = rawHeaders[i + 1];
  }
  if (header === undefined) throw unauthenticated('credential.missing', REALM);
  const match = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header);
  if (!match) throw unauthenticated('credential.malformed', `${REALM}, error="invalid_token"`);
  return match[1] as string;
}
