import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PersonLimits } from '#features/accounts/index.ts';
import type { Actor } from '#features/applications/actor.ts';
import type { Recalled } from '#features/applications/credentials.ts';
import type { Operation, V1 } from '#features/applications/index.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { QUOTA_HEADERS } from '#features/applications/quota.ts';
import { meRoutes } from '#features/applications/routes.ts';
import { type Groups, groupRoutes } from '#features/groups/index.ts';
import { groupMessageRoutes, type Messages, messageRoutes } from '#features/messages/index.ts';
import { CallLedger } from '#features/oauth/ledger.ts';
import { userinfoRoutes } from '#features/oauth/userinfo.ts';
import { type Polls, pollRoutes } from '#features/polls/index.ts';
import { type Stories, storyRoutes } from '#features/stories/index.ts';
import { eventRoutes, type Webhooks } from '#features/webhooks/index.ts';
import type { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { failure } from '#platform/http/envelope.ts';
import { readError } from '#platform/http/error-door.ts';
import { createRoutes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { Admission, REALM } from './admission.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the caller was told of a request that failed. */
    failure: ApiError | null;
  }
}

/** The door of the public API: credential, application state, scope, quota, bot; all before the body is read. */
export async function v1(
  app: App,
  platform: Platform & {
    recorder: RequestRecorder;
    limits: PersonLimits;
    groups: Groups;
    messages: Messages;
    polls: Polls;
    stories: Stories;
    webhooks: Webhooks;
  },
): Promise<void> {
  const admission = new Admission(platform);
  const ledger = new CallLedger(platform);

  app.decorateRequest<Actor | null>('actor', null);
  app.decorateRequest('credential', null);
  app.decorateRequest('recalled', null);
  app.decorateRequest('quota', null);
  app.decorateRequest('failure', null);
  app.decorateRequest('actAs', function <
    T,
  >(this: FastifyRequest, work: (actor: Actor, recalled: Recalled | null) => Promise<T>) {
    return admission.actAs(this, work);
  });
  app.decorateRequest('toAdmissionCheck', function (this: FastifyRequest) {
    return admission.toCheck(this);
  });
  app.setErrorHandler(async (error, request, reply) => {
    // Whatever else is wrong, a key that is dead is told so first.
    const shown = await admission.confirm(request).then(
      () => error,
      (refusal) => refusal,
    );
    if (!request.quota) for (const header of QUOTA_HEADERS) reply.removeHeader(header);
    answerBearerError(shown, request, reply);
    return reply;
  });
  app.addHook('onRoute', (route) => {
    const endpoint = `${route.method} ${route.url}`;
    if (!route.config?.access) throw new Error(`${endpoint} does not say who may call it`);
    route.config = { ...route.config, endpoint };
  });
  app.addHook('onRequest', (request, reply) => admission.enter(request, reply));

  app.addHook('onResponse', (request, reply, done) => {
    // What was turned away at the door did nothing for the person, and no quota bounds it.
    if (request.actor?.kind === 'user') ledger.note(toCall(request, reply, platform.clock.now()));
    noteRequest(platform.recorder, request, reply);
    done();
  });
  app.addHook('onClose', () => ledger[Symbol.asyncDispose]());

  const routes = v1Routes(app, platform);
  meRoutes(app, platform);
  eventRoutes(routes, platform.webhooks, platform);
  userinfoRoutes(app, platform);
  messageRoutes(routes, platform.messages);
  pollRoutes(routes, platform.polls);
  storyRoutes(routes, platform.stories);
  groupRoutes(routes, platform.groups);
  groupMessageRoutes(routes, platform.messages);
}

/** The builder of the routes of the public API. */
export function v1Routes(app: App, platform: Platform): V1 {
  return createRoutes<{ actor: Actor }, Operation>(app, platform, {
    describe: ({ access, operationId, summary, description, tags = [] }) => ({
      config: { access },
      schema: { operationId, summary, ...(description !== undefined && { description }), tags },
    }),
    run: (request, _reply, handle) =>
      request.actAs((actor, recalled) => handle(recalled ? { actor: { ...actor, recalled } } : { actor })),
    clientOf: ({ actor: { accountId, appId } }) => ({ accountId, clientId: appId }),
  });
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
  const { credential, method, route, quota } = request;
  if (!credential) return;
  recorder.note({
    requestId: request.id,
    appId: credential.appId,
    caller: credential.kind,
    method,
    route: route.url as string,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    isStream: reply.getHeader('content-type') === 'text/event-stream',
    error: request.failure ?? undefined,
    quota: quota ?? undefined,
  });
}

/** RFC 6750: every 401 and 403 of a bearer endpoint carries a challenge. */
function answerBearerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = readError(error, request);
  request.failure = known;
  const { status, code, message, headers } = known;
  if (status === 403) reply.header('www-authenticate', REALM);
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(failure(code, message));
}
