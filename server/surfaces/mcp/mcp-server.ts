import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { clientAddress } from '#platform/http/client-address.ts';
import { readError } from '#platform/http/error-handler.ts';
import type { Live } from '#platform/live.ts';
import { API_VERSION } from '../openapi/about.ts';
import { type Arguments, type Caller, createToolCall, OperationRefused, type ToolCall } from './tool-call.ts';
import { isAvailable, type Tool } from './tools.ts';

/** Documents about the API for assistants. */
const DOCUMENTS = [
  { path: '/llms.txt', name: 'Guide for assistants', mimeType: 'text/markdown' },
  { path: '/openapi.json', name: 'OpenAPI document', mimeType: 'application/json' },
] as const;

const INSTRUCTIONS =
  'Tools are the operations of the Parley API. They act as the bot whose API key, or as the person whose access token, opened ' +
  'this connection, within its scopes and quotas. A bot writes to people who wrote to it first: read events with listEvents, and ' +
  'answer to the chatId or groupId of a message; to ask somebody and wait for the answer, use ask_person. The resource llms.txt ' +
  'leads to the documentation.';

interface Given extends Caller {
  tools: ReadonlyMap<string, Tool>;
  live: Live;
  baseUrl: string;
}

/**
 * A server for one request: its tools call the routes of the public API in this process, with the caller's own credential, so
 * that scopes, quotas, logs and rules are the API's.
 */
export function createMcpServer(given: Given): Server {
  const { app, tools, live, baseUrl, credential, request } = given;
  const server = new Server(
    { name: 'parley', title: 'Parley', version: API_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: [...tools.values()]
      .filter((tool) => isAvailable(tool, credential))
      .map(({ name, title, description, inputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema,
        annotations,
      })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`);
    const call = createToolCall(given, mcpReq);
    return server.projectCallToolResult(await callTool(given, tool, call, params.arguments), undefined);
  });
  // Without sessions, the request that is cancelled may be in any process.
  server.setNotificationHandler('notifications/cancelled', ({ params: { requestId: id } }) => {
    if (id !== undefined) live.publish(credential.appId, { type: 'call.cancelled', data: { id } });
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: DOCUMENTS.map(({ path, name, mimeType }) => ({ uri: baseUrl + path, name, mimeType })),
  }));
  // Clients ask for them wherever there are resources.
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = DOCUMENTS.find(({ path }) => baseUrl + path === uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri}`);
    const { body } = await app.inject({ url: found.path, remoteAddress: clientAddress(request) });
    return { contents: [{ uri, mimeType: found.mimeType, text: body }] };
  });
  return server;
}

async function callTool(
  { request }: Given,
  tool: Tool,
  call: ToolCall,
  given: Arguments = {},
): Promise<CallToolResult> {
  try {
    const data = await tool.run(call, given);
    return {
      content: [{ type: 'text', text: JSON.stringify(data) }],
      ...(!Array.isArray(data) && { structuredContent: data }),
    };
  } catch (error) {
    // Nobody reads the result.
    if (call.signal.aborted) throw error;
    const { status, code, message } = error instanceof OperationRefused ? error : readError(error, request);
    return { isError: true, content: [{ type: 'text', text: `${status} ${code}: ${message}` }] };
  }
}
