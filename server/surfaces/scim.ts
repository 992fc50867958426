import type { FastifyReply, FastifyRequest } from 'fastify';
import { SCIM } from '#contract/api/scim.ts';
import { type ManagingProvider, ScimError, type SignInProviders } from '#features/sign-in-providers/index.ts';
import { unauthenticated } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { noRoute, readError } from '#platform/http/error-handler.ts';
import { parseStrictJson } from '#platform/http/parsing/strict-json.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { bearerToken } from './admission.ts';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';

const JSON_TYPE = /^application\/(scim\+)?json(;|$)/i;

const providers = new RequestSlot<ManagingProvider>();

/** Where sign-in providers manage their people: SCIM 2.0, with its media type and errors; the token is checked before the body is read. */
export async function scim(
  app: App,
  deps: Platform & { signInProviders: SignInProviders; routes: readonly Served[] },
): Promise<void> {
  // Providers announce JSON also where they send nothing.
  app.addContentTypeParser(
    JSON_TYPE,
    { parseAs: 'buffer' },
    async ({ route }: FastifyRequest, body: Buffer) =>
      body.length === 0 ? undefined : parseStrictJson(body, { bodyLimit: route.bodyLimit }),
  );
  app.setErrorHandler(answerScimError);
  app.setNotFoundHandler((request, reply) => answerScimError(noRoute(request), request, reply));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.is404) return;
    const provider = await deps.signInProviders.findByScimToken(bearerToken(request));
    if (!provider) throw unauthenticated('credential.invalid');
    providers.set(request, provider);
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode < 400 && reply.statusCode !== 204) reply.type(MEDIA_TYPE);
    return payload;
  });
  const surface: Surface<'provider'> = {
    describe: () => ({ schema: { hide: true } }),
    run: (request, _reply, handle) => handle({ provider: providers.get(request) }),
  };
  mount(app, deps, surface, SCIM, deps.routes);
}

/** RFC 7644 §3.12. */
function answerScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message, headers } = readError(error, request);
  const scimType = error instanceof ScimError ? error.scimType : status === 409 ? 'uniqueness' : undefined;
  reply
    .code(status)
    .headers(headers)
    .type(MEDIA_TYPE)
    .send(
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        ...(scimType && { scimType }),
        detail: message,
      }),
    );
}
