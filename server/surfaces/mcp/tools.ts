import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { V1 } from '#contract/api/v1.ts';
import { type Access, type EndpointFor, PATH_PARAMETERS, parametersOf } from '#contract/endpoints.ts';
import type { Credential } from '#features/applications/index.ts';
import type { Schema } from '../openapi/components.ts';
import { publishedQuery } from '../openapi/operation.ts';

/** The JSON Schema of an object, as assistants expect it. */
type InputSchema = ListedTool['inputSchema'];

/** An operation of the public API as a tool: named, described and typed by its route. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: InputSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
  access: Access;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** Arguments that belong into the path. */
  params: readonly string[];
  takes: 'body' | 'query';
}

/** A tool for every operation of the public API, except uploads: assistants have no files. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  Object.entries<EndpointFor['actor']>(V1.endpoints)
    .filter(([, { form }]) => !form)
    .map(([key, endpoint]) => [endpoint.operationId, toTool(key, endpoint)]),
);

/** The tools available to a credential: those whose routes admit it. */
export function toolsOf({ kind, scopes }: Credential): Tool[] {
  return [...TOOLS.values()].filter(
    ({ access: { actors, scope, orScope } }) =>
      actors.includes(kind) &&
      (!scope || scopes.includes(scope) || (orScope !== undefined && scopes.includes(orScope))),
  );
}

function toTool(
  key: string,
  { operationId, summary, description = summary, body, query, access }: EndpointFor['actor'],
): Tool {
  const [method, url] = key.split(' ') as [Tool['method'], string];
  const params = parametersOf(url);
  return {
    name: operationId,
    title: summary,
    description,
    inputSchema: withParams(toInputSchema(body ?? (query && publishedQuery(query as Schema))), params),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || url.endsWith('/remove'),
    },
    access,
    method,
    url,
    params,
    takes: body ? 'body' : 'query',
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
function toInputSchema(schema: unknown): InputSchema {
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
