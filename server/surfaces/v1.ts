import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Actor, Credential } from '#features/applications/actor.ts';
import { isApiKey } from '#features/applications/api-key.ts';
import { createKeyAuthenticator } from '#features/applications/credentials.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { createQuota, type QuotaCount } from '#features/applications/quota.ts';
import { meRoutes } from '#features/applications/routes.ts';
import { groupRoutes } from '#features/groups/routes.ts';
import { groupMessageRoutes } from '#features/messages/group-routes.ts';
import { messageRoutes } from '#features/messages/routes.ts';
import { createAccessTokenAuthenticator } from '#features/oauth/access-token.ts';
import { CallLedger } from '#features/oauth/ledger.ts';
import { userinfoRoutes } from '#features/oauth/userinfo.ts';
import { pollRoutes } from '#features/polls/routes.ts';
import { storyRoutes } from '#features/stories/routes.ts';
import { eventRoutes } from '#features/webhooks/routes.ts';
import { ApiError, applicationHasNoBot, permissionDenied, unauthenticated } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { failure } from '#platform/http/envelope.ts';
import { readError } from '#platform/http/error-door.ts';
import type { Platform } from '#platform/platform.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route of the public API says so, or the boot stops. */
    access?: Access;
  }
  interface FastifyRequest {
    actor: Actor;
    /** Of every request that presented a good one, those too that were turned away after it. */
    credential: Pick<Credential, 'appId' | 'kind'> | null;
    /** What the caller was told of a request that failed. */
    failure: ApiError | null;
    /** Asks whether the credential would be admitted now too; for answers that outlive the request. */
    toAdmissionCheck(): () => Promise<boolean>;
  }
}

const REALM = 'Bearer realm="parley"';

/** The door of the public API: credential, application state, scope, quota, bot; all before the body is read. */
export async function v1(app: App, platform: Platform & { recorder: RequestRecorder }): Promise<void> {
  const authenticateKey = createKeyAuthenticator(platform);
  const authenticateAccessToken = createAccessTokenAuthenticator(platform);
  const ledger = new CallLedger(platform);
  const countRequest = createQuota(platform);

  const authenticate = (token: string) =>
    isApiKey(token) ? authenticateKey(token) : authenticateAccessToken(token);

  app.decorateRequest('actor', null as unknown as Actor);
  app.decorateRequest('credential', null);
  app.decorateRequest('failure', null);
  app.decorateRequest('toAdmissionCheck', function (this: FastifyRequest) {
    return admissionCheck(authenticate, bearerToken(this));
  });
  app.setErrorHandler(answerBearerError);
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${route.method} ${route.url} does not say who may call it`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access as Access;
    const credential = await authenticate(bearerToken(request));
    if (!credential)
      throw unauthenticated('the token is invalid, revoked or expired', `${REALM}, error="invalid_token"`);
    request.credential = credential;
    request.actor = await admit(credential, access, request, reply, countRequest);
  });

  app.addHook('onResponse', async (request, reply) => {
    // What was turned away at the door did nothing for the person, and no quota bounds it.
    if (request.actor?.kind === 'user') ledger.note(toCall(request, reply, platform.clock.now()));
  });
  app.addHook('onResponse', (request, reply, done) => {
    noteRequest(platform.recorder, request, reply);
    done();
  });
  app.addHook('onClose', () => ledger[Symbol.asyncDispose]());

  meRoutes(app, platform);
  eventRoutes(app, platform);
  userinfoRoutes(app, platform);
  messageRoutes(app, platform);
  pollRoutes(app, platform);
  storyRoutes(app, platform);
  groupRoutes(app, platform);
  groupMessageRoutes(app, platform);
}

/** Holds nothing of the request. */
function admissionCheck(authenticate: (token: string) => Promise<Credential | undefined>, token: string) {
  return async () => {
    const credential = await authenticate(token);
    return credential?.applicationState === 'active' && credential.accountId !== undefined;
  };
}

/** The checks of a known credential, in the order of the decisions page. */
async function admit(
  credential: Credential,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  countRequest: QuotaCount,
): Promise<Actor> {
  const { kind, appId, accountId, applicationState, scopes } = credential;
  if (applicationState !== 'active') throw permissionDenied(`the application is ${applicationState}`);
  if (!access.actors.includes(kind)) {
    throw permissionDenied(
      kind === 'bot'
        ? 'this endpoint takes an OAuth access token, no API key'
        : 'this endpoint takes an API key, no OAuth token',
    );
  }
  if (access.scope && !scopes.includes(access.scope)) {
    const challenge = `${REALM}, error="insufficient_scope", scope="${access.scope}"`;
    throw new ApiError(403, 'permission-denied', `the scope ${access.scope} is missing`, {
      'www-authenticate': challenge,
    });
  }
  const { headers, exceeded } = await countRequest(
    credential,
    `${request.method} ${request.routeOptions.url}`,
  );
  reply.headers(headers);
  if (exceeded) throw exceeded;
  if (accountId === undefined) throw applicationHasNoBot();
  return { kind, appId, accountId, scopes };
}

function toCall({ actor, id, method, url }: FastifyRequest, { statusCode }: FastifyReply, calledAt: number) {
  const { accountId, appId } = actor;
  return {
    accountId,
    appId,
    requestId: id,
    method,
    path: url.split('?', 1)[0] as string,
    status: statusCode,
    calledAt,
  };
}

/** For the console of the application: costs a few steps in memory. */
function noteRequest(recorder: RequestRecorder, request: FastifyRequest, reply: FastifyReply): void {
  const { credential, method, routeOptions } = request;
  if (!credential) return;
  const limit = reply.getHeader('ratelimit-limit');
  recorder.note({
    requestId: request.id,
    appId: credential.appId,
    caller: credential.kind,
    method,
    route: routeOptions.url as string,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    isStream: reply.getHeader('content-type') === 'text/event-stream',
    error: request.failure ?? undefined,
    ...(limit !== undefined && {
      quota: {
        limit: Number(limit),
        remaining: Number(reply.getHeader('ratelimit-remaining')),
        resetInSeconds: Number(reply.getHeader('ratelimit-reset')),
      },
    }),
  });
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

/** RFC 6750: every 401 and 403 of a bearer endpoint carries a challenge. */
function answerBearerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = readError(error, request);
  request.failure = known;
  const { status, code, message, headers } = known;
  if (status === 403) reply.header('www-authenticate', REALM);
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(failure(code, message));
}
