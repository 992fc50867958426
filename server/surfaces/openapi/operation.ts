import { Failure, OAuthFailure } from '#contract/envelope.ts';
import { EXAMPLES } from '#contract/examples.ts';
import type { Access } from '#features/applications/actor.ts';
import { type ErrorExample, errorsOf } from './errors.ts';

type JsonSchema = Record<string, unknown>;

interface RouteSchema {
  operationId?: string;
  body?: JsonSchema;
  querystring?: JsonSchema;
  headers?: JsonSchema;
  response?: Record<string, JsonSchema>;
  security?: Record<string, string[]>[];
  hide?: boolean;
}

interface Described {
  schema?: RouteSchema;
  url: string;
  route: { method: string | string[]; config?: { access?: Access } };
}

/** Operations that the contract does not know (decisions: Beyond the contract). */
const EXTENSIONS = new Set([
  'getMe',
  'listGroupMembers',
  'listEvents',
  'simulateEvent',
  'getAuthorizationServerMetadata',
]);

/** Here `type` may be left out, and is then `text` (contract §4). */
const TYPE_DEFAULTS_TO_TEXT = new Set(['broadcast']);

const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description:
        '1 to 255 visible ASCII characters. The same key and body within 24 h return the first answer instead of ' +
        'creating something twice; the same key with another body is 409.',
    },
  },
};

/** A route as the document describes it: whom it lets in, examples, and every error that it can give. */
export function describeOperation({ schema = {}, url, route }: Described): {
  schema: RouteSchema;
  url: string;
} {
  if (!schema.operationId || !/^\/(v1|oauth|\.well-known)\//.test(url))
    return { schema: { hide: true }, url };
  const access = route.config?.access;
  const example = EXAMPLES[schema.operationId];
  const isCreation = schema.response?.['201'] !== undefined;
  return {
    url,
    schema: {
      ...schema,
      ...(EXTENSIONS.has(schema.operationId) && { 'x-extension': true }),
      // None is said, too: whoever reads the document cannot tell silence from forgetting.
      security: access?.actors.map((actor) => ({ [actor === 'bot' ? 'apiKey' : 'accessToken']: [] })) ?? [],
      ...(isCreation && { headers: IDEMPOTENCY_KEY }),
      ...(schema.body && {
        body: withExample(publishedBody(schema.operationId, schema.body), example?.request),
      }),
      response: {
        ...describeSuccess(schema.response, example?.response),
        ...describeErrors(errorsOf({ schema, access })),
      },
    },
  };
}

function withExample(schema: JsonSchema, value: unknown): JsonSchema {
  return value === undefined ? schema : { ...schema, examples: [value] };
}

/**
 * Fields that a variant refuses are left out: what is not described may not be sent. The discriminator is the
 * validator's; OpenAPI knows it for variants that are named components only.
 */
function published(schema: JsonSchema): JsonSchema {
  const {
    oneOf,
    properties,
    discriminator: _,
    ...rest
  } = schema as {
    oneOf?: JsonSchema[];
    discriminator?: unknown;
    properties?: Record<string, JsonSchema>;
  };
  const used = properties && Object.entries(properties).filter(([, property]) => property['type'] !== 'null');
  return {
    ...rest,
    ...(used && { properties: Object.fromEntries(used) }),
    ...(oneOf && { oneOf: oneOf.map(published) }),
  };
}

function publishedBody(operationId: string, body: JsonSchema): JsonSchema {
  const schema = published(body);
  if (!TYPE_DEFAULTS_TO_TEXT.has(operationId)) return schema;
  const { required, oneOf, ...rest } = schema as { required: string[]; oneOf: JsonSchema[] };
  const isText = ({ title }: JsonSchema) => title === 'text';
  return {
    ...rest,
    oneOf: oneOf.map((variant) => (isText(variant) ? withoutRequired(variant, 'type') : variant)),
  };
}

function withoutRequired(schema: JsonSchema, field: string): JsonSchema {
  return { ...schema, required: (schema['required'] as string[]).filter((name) => name !== field) };
}

function describeSuccess(
  response: RouteSchema['response'] = {},
  example: object | undefined,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      { description: 'Success', content: { 'application/json': { schema, ...(example && { example }) } } },
    ]),
  );
}

function describeErrors(errors: Map<number, ErrorExample[]>): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...errors].map(([status, examples]) => [
      status,
      {
        description: examples.map(({ cause }) => cause).join('; '),
        content: {
          'application/json': {
            schema: {},
            examples: Object.fromEntries(
              examples.map(({ cause, code, message, error }) => [
                cause,
                {
                  value: {
                    ...(error && { error, error_description: message }),
                    status: 'error',
                    code,
                    message,
                  },
                },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

/** The schemas of errors stand once, under `components`; those of `/oauth` may carry RFC 6749's form as well. */
export function shareErrorSchema(document: { paths?: object; components?: { schemas?: object } }): object {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(
      path as Record<string, { responses?: Record<string, ErrorResponse> }>,
    )) {
      for (const [status, { content }] of Object.entries(operation.responses ?? {})) {
        const json = content?.['application/json'];
        if (!json || Number(status) < 400) continue;
        const isOAuth = Object.values(json.examples ?? {}).some(({ value }) => 'error' in value);
        json.schema = { $ref: `#/components/schemas/${isOAuth ? 'OAuthError' : 'Error'}` };
      }
    }
  }
  return {
    ...document,
    components: { ...document.components, schemas: { Error: Failure, OAuthError: OAuthFailure } },
  };
}

interface ErrorResponse {
  content?: Record<string, { schema: object; examples?: Record<string, { value: object }> }>;
}
