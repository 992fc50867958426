import { OAUTH } from '#contract/api/oauth.ts';
import { PUBLIC } from '#contract/api/public.ts';
import { V1 } from '#contract/api/v1.ts';
import type { Access, EndpointFor, Example } from '#contract/endpoints.ts';
import { Failure } from '#contract/envelope.ts';
import { success } from '#contract/examples.ts';
import { OAuthFailure, oauthCodeOf } from '#contract/oauth.ts';
import { PUBLISHED_LIMIT } from '#contract/webhooks/event-feed.ts';
import type { Schema } from './components.ts';
import { type ErrorExample, errorsOf } from './errors.ts';

interface RouteSchema {
  operationId?: string;
  consumes?: string[];
  description?: string;
  body?: Schema;
  querystring?: Schema;
  response?: Record<string, Schema>;
  security?: Record<string, string[]>[];
  hide?: boolean;
}

interface Described {
  schema?: RouteSchema;
  url: string;
  route: { method: string | string[]; config?: { access?: Access } };
}

const ENTRIES: Readonly<Record<string, EndpointFor['everybody']>> = {
  ...V1.endpoints,
  ...OAUTH.endpoints,
  ...PUBLIC.endpoints,
};

/** A route as the document describes it: credentials, examples, and every error that it can give. */
export function describeOperation({ schema = {}, url, route }: Described): {
  schema: RouteSchema;
  url: string;
} {
  const { operationId, body, response = {} } = schema;
  if (!operationId || !/^\/(v1|oauth|\.well-known)\//.test(url)) return { schema: { hide: true }, url };
  const access = route.config?.access;
  const endpoint = `${route.method} ${url}`;
  const entry = ENTRIES[endpoint];
  const example = entry?.example;
  const examples = example?.request && { examples: [example.request] };
  const described = {
    ...schema,
    ...(entry?.isExtension && { 'x-extension': true }),
    ...(access?.scope && { description: `${schema.description} Requires the scope \`${access.scope}\`.` }),
    security: securityOf(access),
    ...(schema.querystring && { querystring: publishedQuery(schema.querystring) }),
    ...(entry?.form && { consumes: ['multipart/form-data'], body: { ...entry.form, ...examples } }),
    ...(body && { body: { ...publishedBody(operationId, body), ...examples } }),
  };
  // Routes that respond with pages describe all their responses themselves.
  if (Object.values(response).some(({ content }) => content)) return { url, schema: described };
  const isOAuth = url.startsWith('/oauth/') && !access;
  const errors = errorsOf({ endpoint, schema, access, entry });
  return {
    url,
    schema: {
      ...described,
      response: {
        ...describeSuccess(response, example && answerOf(entry, example)),
        ...describeErrors(errors, isOAuth ? OAuthFailure : Failure),
      },
    },
  };
}

/** Always explicit, also when no credential is needed; otherwise it would look like an omission. Only OAuth has scopes. */
function securityOf(access: Access | undefined): Record<string, string[]>[] {
  const scopes = access?.scope ? [access.scope] : [];
  return access?.actors.map((actor) => (actor === 'bot' ? { apiKey: [] } : { oauth2: scopes })) ?? [];
}

/** A query as clients see it, in which a limit is a number. */
export function publishedQuery(query: Schema): Schema {
  const { limit, ...others } = query.properties ?? {};
  if (!limit) return query;
  const { description = '' } = limit;
  return { ...query, properties: { ...others, limit: { ...PUBLISHED_LIMIT, description } } };
}

/** The body of `broadcast` may leave out `type`, which is then `text` (contract §4). */
function publishedBody(operationId: string, body: Schema): Schema {
  if (operationId !== 'broadcast') return body;
  const { title: _, ...text } =
    body.oneOf?.find(({ properties }) => properties?.['type']?.const === 'text') ?? {};
  return {
    title: 'Broadcast',
    description: 'A message to post to a group; `type` defaults to `text`.',
    anyOf: [
      body,
      { ...text, title: 'BroadcastText', required: text.required?.filter((field) => field !== 'type') ?? [] },
    ],
  };
}

/** The whole answer, with the message that the endpoint gives. */
function answerOf({ isRaw, message }: EndpointFor['everybody'] = {}, { response }: Example): object {
  return isRaw ? response : success(String(message), response);
}

function describeSuccess(
  response: Record<string, Schema>,
  example: object | undefined,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      {
        description: schema.description ?? 'Success',
        content: { 'application/json': { schema, ...(example && { example }) } },
      },
    ]),
  );
}

function describeErrors(
  errors: Map<number, ErrorExample[]>,
  schema: typeof Failure | typeof OAuthFailure,
): Record<string, Schema> {
  return Object.fromEntries(
    [...errors].map(([status, examples]) => [
      status,
      {
        description: sentence(examples.map(({ cause }) => cause).join('; ')),
        content: {
          'application/json': {
            schema,
            examples: Object.fromEntries(
              examples.map((example) => [nameOf(example), showError(example, schema === OAuthFailure)]),
            ),
          },
        },
      },
    ]),
  );
}

function showError({ status, cause, code, message, error }: ErrorExample, isOAuth: boolean) {
  return {
    summary: sentence(cause),
    value: {
      ...(isOAuth && { error: error ?? oauthCodeOf(status), error_description: message }),
      status: 'error',
      code,
      message,
    },
  };
}

/** The name with which a client asks a mock server for the example. */
function nameOf({ cause }: ErrorExample): string {
  return cause.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
