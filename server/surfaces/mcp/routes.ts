import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { OAUTH_SCOPES } from '#contract/scopes.ts';
import {
  type Applications,
  type Credential,
  isApiKey,
  REALM,
  tokenInvalid,
} from '#features/applications/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import { applicationHasNoBot, invalidArgument, notFound, permissionDenied } from '#platform/errors.ts';
import { type App, takeLargeBodies } from '#platform/http/app.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { readError, sendError } from '#platform/http/error-handler.ts';
import { findUrlFault } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { bearerToken } from '../admission.ts';
import { type ExtensionDeps, whileInUse } from '../while-in-use.ts';
import { createAskPerson } from './ask-person.ts';
import { createMcpServer } from './mcp-server.ts';
import { OPERATION_TOOLS, STREAM_MESSAGE } from './tools.ts';

type Deps = Platform & ExtensionDeps & { applications: Applications; oauth: OAuth };

const ENDPOINT = 'POST /mcp';
/** A batch of the protocol's older version. Each message may read the whole OpenAPI document. */
const MOST_MESSAGES = 5;
const METADATA = '/.well-known/oauth-protected-resource';

/**
 * The Model Context Protocol at `/mcp`: Streamable HTTP without sessions, so that every request is authenticated and a
 * revoked credential is refused in mid-conversation. Only for applications whose owner has switched it on; while none
 * has, there is nothing here for those without a credential.
 */
export async function mcp(app: App, deps: Deps): Promise<void> {
  const { config, live, applications, oauth, answerUnknown } = deps;
  const baseUrl = publicUrlOf(config);
  const admitted = new RequestSlot<Credential>();
  const tools = new Map(
    [...OPERATION_TOOLS, STREAM_MESSAGE, createAskPerson(live)].map((tool) => [tool.name, tool]),
  );
  const stop = new AbortController();
  app.addHook('preClose', (done) => {
    stop.abort();
    done();
  });
  const handler = (request: FastifyRequest) =>
    createMcpHandler(
      () =>
        createMcpServer({
          app,
          tools,
          live,
          baseUrl,
          credential: admitted.get(request),
          request,
          stopping: stop.signal,
        }),
      // Tools and documents never change, so there is nothing to subscribe to.
      { maxSubscriptions: 0 },
    );

  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, code, message, headers } = readError(error, request);
      const challenge = `${headers['www-authenticate'] ?? REALM}, resource_metadata="${baseUrl}${METADATA}/mcp"`;
      const challenging = status === 401 ? { ...headers, 'www-authenticate': challenge } : headers;
      return sendError(reply, { status, code, message, headers: challenging });
    });

    takeLargeBodies(scope);
    scope.addHook('onRequest', async (request, reply) => {
      if (request.headers.authorization === undefined && !(await applications.isExtensionInUse('mcp'))) {
        answerUnknown(request, reply);
        return reply;
      }
      const fault = findUrlFault(request.url);
      if (fault) throw fault;
      const { origin } = request.headers;
      // Prevents DNS rebinding: a foreign page must not act for the person who visits it.
      if (origin !== undefined && origin !== new URL(baseUrl).origin)
        throw permissionDenied('http.other-site');
      const token = bearerToken(request);
      const credential = await (isApiKey(token)
        ? applications.authenticateKey(token)
        : oauth.authenticateAccessToken(token));
      if (!credential) throw tokenInvalid(token);
      const { appId, applicationState: state, accountId } = credential;
      if (!(await applications.hasExtension(appId, 'mcp'))) throw notFound('mcp.off');
      if (state !== 'active') throw permissionDenied('application.not-active', { state });
      const { headers, exceeded } = await applications.quota.count(credential, ENDPOINT);
      reply.headers(headers);
      if (exceeded) throw exceeded;
      if (accountId === undefined) throw applicationHasNoBot();
      admitted.set(request, credential);
    });

    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      // During maintenance, the routes that the tools call refuse writes.
      config: { duringMaintenance: true },
      schema: { hide: true },
      async handler(request, reply) {
        if (Array.isArray(request.body) && request.body.length > MOST_MESSAGES)
          throw invalidArgument('body', 'too-many-entries', { limit: MOST_MESSAGES });
        const headers = new Headers();
        for (const [name, value] of Object.entries(request.headers))
          if (typeof value === 'string') headers.set(name, value);
        const disconnected = new AbortController();
        reply.raw.once('close', () => {
          if (!reply.raw.writableFinished) disconnected.abort();
        });
        const { signal } = disconnected;
        const asked = new Request(`${baseUrl}/mcp`, { method: request.method, headers, signal });
        const answer = await handler(request).fetch(asked, { parsedBody: request.body });
        return reply.send(answer);
      },
    });
  });

  whileInUse(app, deps, 'mcp');
  for (const [path, resource] of [
    [`${METADATA}/mcp`, `${baseUrl}/mcp`],
    [METADATA, baseUrl],
  ] as const) {
    app.get(path, { schema: { hide: true } }, async () => ({
      resource,
      authorization_servers: [baseUrl],
      scopes_supported: OAUTH_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Parley',
      resource_documentation: `${baseUrl}/docs/`,
    }));
  }
}
