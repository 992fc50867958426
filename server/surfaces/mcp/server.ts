import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Credential } from '#features/applications/index.ts';
import type { App } from '#platform/http/app.ts';
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
export function createMcpServer(given: Given): Server {
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
  { method, url, takes }: Tool,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  const query = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await app.inject({
    remoteAddress: address,
    method,
    url: takes === 'query' ? `${url}?${new URLSearchParams(query)}` : url,
    headers: { authorization, accept: 'application/json' },
    ...(takes === 'body' && { payload: given }),
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
