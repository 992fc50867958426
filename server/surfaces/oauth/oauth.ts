import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Success } from '#contract/envelope.ts';
import type { OAuthErrorCode } from '#contract/oauth.ts';
import type { Applications } from '#features/applications/index.ts';
import {
  type ClientRoutes,
  clientRoutes,
  discoveryRoutes,
  initialRoute,
  metadataRoute,
  type OAuth,
  OAuthError,
  type PublicRoutes,
  readClientCredentials,
  readOAuthBody,
} from '#features/oauth/index.ts';
import type { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { failure, success } from '#platform/http/envelope.ts';
import { readError } from '#platform/http/error-handler.ts';
import { acceptForms } from '#platform/http/parsing/form.ts';
import { demandUniqueKeys } from '#platform/http/parsing/unique-keys.ts';
import { createRoutes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { type ExtensionDeps, whileInUse } from '../while-in-use.ts';

type Deps = Platform & ExtensionDeps & { applications: Applications; oauth: OAuth };

/** The application that made a request, once it is authenticated. */
const clients = new RequestSlot<string>();
/** The error that a request was answered with. */
const failures = new RequestSlot<{ code: OAuthErrorCode; message: string }>();

/** The endpoints for third-party servers: form and JSON bodies, errors in both formats, no caching. */
export async function oauth(app: App, deps: Deps): Promise<void> {
  const everybody = publicRoutes(app, deps);
  metadataRoute(everybody, deps.config);
  initialRoute(everybody);
  await app.register(async (scope) => {
    whileInUse(scope, deps, 'openid');
    discoveryRoutes(publicRoutes(scope, deps), deps);
  });
  await app.register(async (scope) => {
    acceptForms(scope);
    demandUniqueKeys(scope);
    scope.setErrorHandler(answerOAuthError);
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      done();
    });
    scope.addHook('onResponse', (request, reply, done) => {
      noteCall(deps.applications, request, reply);
      done();
    });
    clientRoutes(routesOfClients(scope, deps), deps.oauth);
  });
}

function publicRoutes(app: App, platform: Platform): PublicRoutes {
  return createRoutes(app, platform, {
    describe: ({ operation = { hide: true }, needsDatabase }) => ({
      ...(!needsDatabase && { config: { withoutDatabase: true } }),
      schema: operation,
    }),
    run: (_request, _reply, handle) => handle({}),
  });
}

/** The builder of the routes of clients; the checks run in the order of the decisions page. */
function routesOfClients(app: App, { oauth, clock, config }: Deps): ClientRoutes {
  return {
    post(path, { reply, message, read, ...operation }, handler) {
      const schema: FastifySchema = {
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        ...operation,
        tags: ['OAuth'],
        response: { 200: message === undefined ? reply : Success(reply) },
      };
      app.route({
        method: 'POST',
        url: path,
        schema,
        // The handler validates bodies itself: OAuth has its own errors.
        validatorCompiler: () => () => true,
        async handler(request, reply) {
          const fields = readOAuthBody(request.body);
          const asked = read(fields);
          const client = await oauth.authenticateClient(
            readClientCredentials(request.raw.rawHeaders, fields, config.takesPublishedClients),
          );
          clients.set(request, client.appId);
          const data = await handler({ client, asked });
          // An extension of the contract, whose schema would drop the field.
          if (typeof data === 'object' && data !== null && 'id_token' in data)
            reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
          return message === undefined ? data : success(clock.now(), message, data);
        },
      });
    },
  };
}

/** Records the request for the application's console; unauthenticated requests leave no trace there. */
function noteCall(
  { recorder }: Applications,
  request: FastifyRequest,
  { statusCode, elapsedTime }: FastifyReply,
): void {
  const appId = clients.find(request);
  if (appId === undefined) return;
  recorder.note({
    requestId: request.id,
    appId,
    caller: 'client',
    method: request.method,
    route: request.route.url as string,
    status: statusCode,
    durationMs: elapsedTime,
    error: failures.find(request),
  });
}

/** The contract's envelope and the error of RFC 6749 §5.2 in one body (decisions: OAuth). */
function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = readError(error, request);
  const { status, code, message, headers } = known;
  const oauthCode = oauthCodeOf(known);
  failures.set(request, { code: oauthCode, message });
  reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send({ error: oauthCode, error_description: describe(message), ...failure(code, message) });
}

function oauthCodeOf(error: ApiError): OAuthErrorCode {
  if (error instanceof OAuthError) return error.error;
  if (error.status < 500) return 'invalid_request';
  return error.status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** RFC 6749 allows printable ASCII in a description, without quotation marks and backslashes. */
function describe(message: string): string {
  return message.replace(/[^\x20-\x7e]|["\\]/g, '?');
}
