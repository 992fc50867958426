import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthErrorCode } from '#contract/oauth.ts';
import type { Applications } from '#features/applications/index.ts';
import { oauthRoutes } from '#features/oauth/clients.ts';
import { initialRoute } from '#features/oauth/initials.ts';
import { metadataRoute } from '#features/oauth/metadata.ts';
import { OAuthError } from '#features/oauth/oauth-error.ts';
import type { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { failure } from '#platform/http/envelope.ts';
import { readError } from '#platform/http/error-door.ts';
import { acceptForms } from '#platform/http/form.ts';
import { demandUniqueKeys } from '#platform/http/unique-keys.ts';
import type { Platform } from '#platform/platform.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the client was told of a request that failed. */
    oauthError: { code: OAuthErrorCode; message: string } | undefined;
  }
}

/** The door that third-party servers knock at: forms and JSON, errors in both forms, nothing kept by caches. */
export async function oauth(app: App, platform: Platform & { applications: Applications }): Promise<void> {
  metadataRoute(app, platform);
  initialRoute(app);
  await app.register(async (door) => {
    acceptForms(door);
    demandUniqueKeys(door);
    door.decorateRequest('clientId', undefined);
    door.decorateRequest('oauthError', undefined);
    door.setErrorHandler(answerOAuthError);
    door.addHook('onRequest', (_request, reply, done) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      done();
    });
    door.addHook('onResponse', (request, reply, done) => {
      noteCall(platform.applications, request, reply);
      done();
    });
    oauthRoutes(door, platform);
  });
}

/** For the console of the application; a stranger who knows its id alone writes nothing there. */
function noteCall(
  { recorder }: Applications,
  { clientId, oauthError, id, method, route }: FastifyRequest,
  { statusCode, elapsedTime }: FastifyReply,
): void {
  if (clientId === undefined) return;
  recorder.note({
    requestId: id,
    appId: clientId,
    caller: 'client',
    method,
    route: route.url as string,
    status: statusCode,
    durationMs: elapsedTime,
    error: oauthError,
  });
}

/** The envelope and RFC 6749 §5.2 in one body (decisions: OAuth). */
function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = readError(error, request);
  const { status, code, message, headers } = known;
  const oauthCode = oauthCodeOf(known);
  request.oauthError = { code: oauthCode, message };
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

/** What RFC 6749 lets a description hold: printable ASCII without quotation marks and backslashes. */
function describe(message: string): string {
  return message.replace(/[^\x20-\x7e]|["\\]/g, '?');
}
