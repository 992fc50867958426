import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { Access } from '#contract/endpoints.ts';
import type { Credential } from '#features/applications/index.ts';
import type { App } from '#platform/http/app.ts';
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
  takes: 'body' | 'query';
}

/** Collects the tools while the routes of the public API are declared: register it before them. */
export function collectTools(app: Pick<App, 'addHook'>): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  app.addHook('onRoute', (route) => {
    const tool = toTool(route);
    if (tool) tools.set(tool.name, tool);
  });
  return tools;
}

/** The tools available to a credential: those whose routes admit it. */
export function toolsOf(tools: ReadonlyMap<string, Tool>, { kind, scopes }: Credential): Tool[] {
  return [...tools.values()].filter(
    ({ access: { actors, scope, orScope } }) =>
      actors.includes(kind) &&
      (!scope || scopes.includes(scope) || (orScope !== undefined && scopes.includes(orScope))),
  );
}

function toTool({ method, url, config, schema }: RouteOptions): Tool | undefined {
  const { operationId, summary = '', description = '', body, querystring }: FastifySchema = schema ?? {};
  if (!config?.access || operationId === undefined || !isMethod(method)) return undefined;
  return {
    name: operationId,
    title: summary,
    description: description || summary,
    inputSchema: toInputSchema(body ?? (querystring && publishedQuery(querystring as Schema))),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || url.endsWith('/remove'),
    },
    access: config.access,
    method,
    url,
    takes: body ? 'body' : 'query',
  };
}

function isMethod(method: unknown): method is Tool['method'] {
  return method === 'GET' || method === 'POST' || method === 'PATCH' || method === 'DELETE';
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
