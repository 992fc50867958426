import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { V1 } from '#contract/api/v1.ts';
import { type Access, type EndpointFor, PATH_PARAMETERS, parametersOf } from '#contract/endpoints.ts';
import { StreamMessage } from '#contract/mcp.ts';
import type { Credential } from '#features/applications/index.ts';
import { invalidArgument } from '#platform/errors.ts';
import { hasScope } from '../admission.ts';
import type { Schema } from '../openapi/components.ts';
import { publishedQuery } from '../openapi/operation.ts';
import type { Arguments, OperationKey, ToolCall } from './tool-call.ts';

/** The JSON Schema of an object, as assistants expect it. */
type InputSchema = ListedTool['inputSchema'];

/** A tool, as clients list it, and who may call it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
  access: Access;
  /** Returns the `data` of the answer. */
  run(call: ToolCall, given: Arguments): Promise<unknown>;
}

/** Every operation of the public API as a tool, except uploads: assistants have no files. */
export const OPERATION_TOOLS: readonly Tool[] = (Object.keys(V1.endpoints) as OperationKey[])
  .filter((key) => !('form' in V1.endpoints[key]))
  .map(toTool);

/** Shows a message while it is written, then sends it: what `showDraft` and the two sends do, as one tool. */
export const STREAM_MESSAGE: Tool = {
  name: 'stream_message',
  title: 'Show a message while it is written, then send it',
  description:
    'Shows people what the bot is about to say, such as the step that it is at or the answer so far, on open pages of the ' +
    'conversation. Each call replaces what was shown. Only the call with `isFinal: true` sends a message, which takes its place and is ' +
    'the only one stored and notified. What is shown disappears after 30 seconds without another call; with `keepIfLost` it is sent then.',
  inputSchema: toInputSchema(StreamMessage),
  annotations: { readOnlyHint: false, destructiveHint: false },
  access: { actors: ['bot'], scope: 'messages:send' },
  async run({ check, operate }, given) {
    const { to, groupId, content, isFinal, replyToMsgId, quickReplies, keepIfLost } = check(
      StreamMessage,
      given,
    );
    if (to != null && groupId != null) throw invalidArgument('to', 'not-with-group');
    if (!isFinal) {
      const conversationId = groupId ?? to;
      if (conversationId == null) throw invalidArgument('to', 'required');
      return operate('PUT /v1/messages/draft', { conversationId, content, replyToMsgId, keepIfLost });
    }
    const message = { type: 'text', content, replyToMsgId, quickReplies };
    return groupId == null
      ? operate('POST /v1/messages', { to, ...message })
      : operate('POST /v1/messages/group', { groupId, ...message });
  },
};

export function isAvailable({ access }: Tool, { kind, scopes }: Credential): boolean {
  return access.actors.includes(kind) && hasScope(access, scopes);
}

function toTool(key: OperationKey): Tool {
  const endpoint: EndpointFor['actor'] = V1.endpoints[key];
  const { operationId, summary, description = summary, body, query, access } = endpoint;
  const [method, url] = key.split(' ') as [string, string];
  const schema = body ?? (query && publishedQuery(query as Schema));
  return {
    name: operationId,
    title: summary,
    description,
    inputSchema: withParams(toInputSchema(schema), parametersOf(url)),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || url.endsWith('/remove'),
    },
    access,
    run: ({ operate }, given) => operate(key, given),
  };
}

function withParams(schema: InputSchema, params: readonly (keyof typeof PATH_PARAMETERS)[]): InputSchema {
  if (params.length === 0) return schema;
  const { properties, required = [] } = schema;
  const own: NonNullable<InputSchema['properties']> = JSON.parse(
    JSON.stringify(Object.fromEntries(params.map((name) => [name, PATH_PARAMETERS[name]]))),
  );
  return { ...schema, properties: { ...own, ...properties }, required: [...params, ...required] };
}

interface Variant {
  properties: Record<string, { const?: string; type?: string }>;
  required?: string[];
}

/**
 * The schema of a route for assistants, many of which do not support `oneOf` at the top level: the variants of a body are
 * merged, and the description says which fields each requires. The route validates the call against the real schema.
 */
export function toInputSchema(schema: unknown): InputSchema {
  if (schema === undefined) return { type: 'object', properties: {} };
  const { discriminator, oneOf, ...plain } = JSON.parse(JSON.stringify(schema));
  const variants: Variant[] | undefined = oneOf;
  if (!variants) return plain;
  const kind: string = discriminator.propertyName;
  const names = variants.map(({ properties }) => String(properties[kind]?.const));
  const shared = requiredByAll(variants);
  const properties: NonNullable<InputSchema['properties']> = {};
  for (const variant of variants)
    for (const [name, property] of Object.entries(variant.properties))
      if (name !== kind && property.type !== 'null') properties[name] ??= property;
  const needs = variants.map(({ required = [] }, i) => {
    const own = required.filter((name) => !shared.includes(name));
    return `${names[i]}: ${own.join(', ') || 'nothing more'}`;
  });
  return {
    type: 'object',
    description: `What each \`${kind}\` needs: ${needs.join('; ')}.`,
    properties: { [kind]: { type: 'string', enum: names }, ...properties },
    required: shared,
  };
}

function requiredByAll(variants: readonly Variant[]): string[] {
  const [first, ...others] = variants.map(({ required = [] }) => required);
  return (first ?? []).filter((name) => others.every((required) => required.includes(name)));
}
