import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAUTH } from '#contract/api/oauth.ts';
import { type OAuthErrorCode, oauthCodeOf } from '#contract/oauth.ts';
import type { Applications } from '#features/applications/index.ts';
import { type OAuth, OAuthError, readClientCredentials, readOAuthBody } from '#features/oauth/index.ts';
import type { App } from '#platform/http/app.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { failure } from '#platform/http/envelope.ts';
import { readError, sendError } from '#platform/http/error-handler.ts';
import { acceptForms } from '#platform/http/parsing/form.ts';
import { demandUniqueKeys } from '#platform/http/parsing/unique-keys.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { recorded } from '../recorded.ts';

type Deps = Platform & { applications: Applications; oauth: OAuth; routes: readonly Served[] };

/** The application that made a request, once it is authenticated. */
const clients = new RequestSlot<string>();
/** The error that a request was answered with. */
const failures = new RequestSlot<{ code: OAuthErrorCode; message: string }>();

/** The endpoints for third-party servers: form and JSON bodies, errors in both formats, no caching. */
export async function oauth(app: App, deps: Deps): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope);
    demandUniqueKeys(scope);
    scope.setErrorHandler(answerOAuthError);
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      done();
    });
    scope.addHook('onResponse', (request, reply, done) => {
      // Requests that are not authenticated leave no trace in a console.
      const appId = clients.find(request);
      if (appId !== undefined) {
        const error = failures.find(request);
        deps.applications.recorder.note({ ...recorded(request, reply), appId, caller: 'client', error });
      }
      done();
    });
    // Handlers validate bodies themselves: OAuth has its own errors.
    scope.setValidatorCompiler(() => () => true);
    mount(scope, deps, forClients(deps), OAUTH, deps.routes);
  });
}

/** The servers of clients; handlers keep the order of the decisions page. */
function forClients({ oauth, config }: Deps): Surface<'client'> {
  return {
    describe: ({ operationId, summary, description, tags }) => ({
      schema: {
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        operationId,
        summary,
        ...(description !== undefined && { description }),
        tags,
      },
    }),
    run(request, _reply, handle) {
      const fields = readOAuthBody(request.body);
      return handle({
        fields,
        async authenticate() {
          const client = await oauth.authenticateClient(
            readClientCredentials(request.raw.rawHeaders, fields, config.takesPublishedClients),
          );
          clients.set(request, client.appId);
          return client;
        },
      });
    },
  };
}

/** The contract's envelope and the error of RFC 6749 §5.2 in one body (decisions: OAuth). */
function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = readError(error, request);
  const { status, code, message } = known;
  const oauthCode = known instanceof OAuthError ? known.error : oauthCodeOf(status);
  failures.set(request, { code: oauthCode, message });
  const described = { error: oauthCode, error_description: describe(message) };
  sendError(reply, known, { ...described, ...failure(code, message) });
}

/** RFC 6749 allows printable ASCII in a description, without quotation marks and backslashes. */
function describe(message: string): string {
  return message.replace(/[^\x20-\x7e]|["\\]/g, '?');
}
