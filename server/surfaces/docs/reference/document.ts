import type { Schema } from '../../openapi/components.ts';

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: string;
}

export interface Media {
  schema: Schema;
  example?: object;
  examples?: Record<string, { summary: string; value: { code?: string; message: string } }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  'x-extension'?: boolean;
}

/** The OpenAPI document that this server serves. */
export interface ApiDocument {
  servers: [{ url: string }];
  tags: { name: string; description: string; externalDocs: { url: string } }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** An operation of the API or a webhook, with its place in the document. */
export interface Endpoint {
  /** `POST`, or `webhook`. */
  method: string;
  /** Its path, or the type of the event. */
  path: string;
  operation: Operation;
}

/** All endpoints in document order. */
export function listEndpoints({ paths, webhooks }: ApiDocument): Endpoint[] {
  const list = (part: ApiDocument['paths'], methodOf: (method: string) => string) =>
    Object.entries(part).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: methodOf(method),
        path,
        operation,
      })),
    );
  return [...list(paths, (method) => method.toUpperCase()), ...list(webhooks, () => 'webhook')];
}

export function resolveSchema(document: ApiDocument, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  return { ...(document.components.schemas[nameOf($ref)] as Schema), ...own };
}

export function resolveParameter(document: ApiDocument, parameter: Parameter): Parameter {
  return parameter.$ref === undefined
    ? parameter
    : (document.components.parameters[nameOf(parameter.$ref)] as Parameter);
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
