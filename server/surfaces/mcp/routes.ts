import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
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
import { applicationHasNoBot, notFound, permissionDenied } from '#platform/errors.ts';
import { type App, takeLargeBodies } from '#platform/http/app.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { failure } from '#platform/http/envelope.ts';
import { readError } from '#platform/http/error-handler.ts';
import { findUrlFault } from '#platform/http/parsing/form.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { bearerToken } from '../admission.ts';
import { API_VERSION } from '../openapi/about.ts';
import { type ExtensionDeps, whileInUse } from '../while-in-use.ts';
import { TOOLS, type Tool, toolsOf } from './tools.ts';

/** Documents about the API for assistants. */
const DOCUMENTS = [
  { path: '/llms.txt', name: 'Guide for assistants', mimeType: 'text/markdown' },
  { path: '/openapi.json', name: 'OpenAPI document', mimeType: 'application/json' },
] as const;

const INSTRUCTIONS =
  'Tools are the operations of the Parley API. They act as the bot whose API key, or as the person whose access token, opened ' +
  'this connection, within its scopes and quotas. A bot writes to people who wrote to it first: read events with listEvents, and ' +
  'answer to the chatId or groupId of a message. The resource llms.txt leads to the documentation.';

interface Given {
  app: App;
  baseUrl: string;
  version: string;
  credential: Credential;
  authorization: string;
  /** The caller's address, for limits and the access log. */
  address: string;
}

/**
 * A server for one request: its tools call the routes of the public API in this process, with the caller's own credential, so
 * that scopes, quotas, logs and rules are the API's.
 */
function createMcpServer(given: Given): Server {
  const { app, baseUrl, version, credential, address } = given;
  const server = new Server(
    { name: 'parley', title: 'Parley', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: toolsOf(credential).map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations,
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = TOOLS.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`);
    return server.projectCallToolResult(await callTool(given, tool, params.arguments ?? {}), undefined);
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: DOCUMENTS.map(({ path, name, mimeType }) => ({ uri: baseUrl + path, name, mimeType })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = DOCUMENTS.find(({ path }) => baseUrl + path === uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri}`);
    const { body } = await app.inject({ url: found.path, remoteAddress: address });
    return { contents: [{ uri, mimeType: found.mimeType, text: body }] };
  });
  return server;
}

async function callTool(
  { app, authorization, address }: Given,
  { method, url, params, takes }: Tool,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  const path = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(given[name] ?? '')));
  const rest = Object.entries(given).filter(([name]) => !params.includes(name));
  const query = rest.map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await app.inject({
    remoteAddress: address,
    method,
    url: takes === 'query' ? `${path}?${new URLSearchParams(query)}` : path,
    headers: { authorization, accept: 'application/json' },
    ...(takes === 'body' && { payload: Object.fromEntries(rest) }),
  });
  const body = answer.json();
  if (answer.statusCode >= 400) {
    const { code, message } = body;
    return { isError: true, content: [{ type: 'text', text: `${answer.statusCode} ${code}: ${message}` }] };
  }
  // The few responses without an envelope are the data themselves.
  const data = body.status === 'success' ? body.data : body;
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }],
    ...(!Array.isArray(data) && { structuredContent: data }),
  };
}

type Deps = Platform & ExtensionDeps & { applications: Applications; oauth: OAuth };

const ENDPOINT = 'POST /mcp';
const METADATA = '/.well-known/oauth-protected-resource';

/**
 * The Model Context Protocol at `/mcp`: Streamable HTTP without sessions, so that every request is authenticated and a
 * revoked credential is refused in mid-conversation. Only for applications whose owner has switched it on; while none
 * has, there is nothing here for those without a credential.
 */
export async function mcp(app: App, deps: Deps): Promise<void> {
  const { config, applications, oauth, answerUnknown } = deps;
  const baseUrl = publicUrlOf(config);
  const admitted = new RequestSlot<Credential>();
  const handler = (request: FastifyRequest) =>
    createMcpHandler(
      () =>
        createMcpServer({
          app,
          baseUrl,
          version: API_VERSION,
          credential: admitted.get(request),
          authorization: `Bearer ${bearerToken(request)}`,
          address: clientAddress(request),
        }),
      // Tools and documents never change, so there is nothing to subscribe to.
      { maxSubscriptions: 0 },
    );

  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, code, message, headers } = readError(error, request);
      const challenge = headers['www-authenticate'] ?? REALM;
      return reply
        .code(status)
        .headers(headers)
        .headers(
          status === 401
            ? { 'www-authenticate': `${challenge}, resource_metadata="${baseUrl}${METADATA}/mcp"` }
            : {},
        )
        .type('application/json; charset=utf-8')
        .send(failure(code, message));
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
        const headers = new Headers();
        for (const [name, value] of Object.entries(request.headers))
          if (typeof value === 'string') headers.set(name, value);
        const asked = new Request(`${baseUrl}/mcp`, { method: request.method, headers });
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
