import swagger from '@fastify/swagger';
import type { Config } from '#platform/config.ts';
import type { App } from '#platform/http/app.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { ADDRESS, describeApi } from './about.ts';
import { nameSchemas } from './components.ts';
import { describeOperation } from './operation.ts';
import { describeWebhooks } from './webhooks.ts';

/**
 * The OpenAPI document at `/openapi.json`, generated from the routes; the reference at `/docs` is generated from it.
 * Register this before the routes.
 */
export async function reference(app: App, config: Config): Promise<void> {
  // The plugin's types cover only OpenAPI 3.0 and plain JSON schemas; ours add the parts of 3.1 and of the routes.
  await app.register(swagger, {
    openapi: describeApi() as never,
    convertConstToEnum: false,
    transform: describeOperation as never,
    transformObject: (made) =>
      withAddress(
        completeDocument(('openapiObject' in made ? made.openapiObject : {}) as never, config.serviceName),
        publicUrlOf(config),
      ) as never,
  });
  const documented = { withoutDatabase: true } as const;
  app.get('/openapi.json', { config: documented, schema: { hide: true } }, async () => app.swagger());
}

/** Replaces the placeholder everywhere, since examples contain it too. */
function withAddress(document: object, address: string): object {
  return JSON.parse(JSON.stringify(document).replaceAll(ADDRESS, address));
}

interface Operation {
  tags: [string];
  security: object[];
  parameters?: object[];
  requestBody?: { content: object };
  responses: Record<string, { headers?: object }>;
}

type Paths = Record<string, Record<string, Operation>>;

interface Draft {
  openapi?: string;
  info?: object;
  servers?: object[];
  tags?: { name: string }[];
  paths?: Paths;
  components?: object;
}

/**
 * Completes the document generated from the routes with webhooks, headers common to all responses, the order of tags, and a
 * name for every schema.
 */
function completeDocument(draft: Draft, serviceName: string | undefined): object {
  const tags = draft.tags?.map(({ name }) => name) ?? [];
  const paths = inOrder(draft.paths ?? {}, tags);
  for (const operation of Object.values(paths).flatMap(Object.values<Operation>)) addHeaders(operation);
  const { parts, schemas } = nameSchemas({ paths, webhooks: describeWebhooks(serviceName) });
  const { openapi, info, servers, tags: described, components } = draft;
  return { openapi, info, servers, tags: described, ...parts, components: { ...components, schemas } };
}

/** Sorts by tag, then by order of registration. */
function inOrder(paths: Paths, tags: string[]): Paths {
  const rank = (path: Record<string, Operation>) =>
    Math.min(...Object.values(path).map((one) => tags.indexOf(one.tags[0])));
  return Object.fromEntries(Object.entries(paths).toSorted(([, one], [, other]) => rank(one) - rank(other)));
}

function addHeaders(operation: Operation): void {
  const isLimited = operation.security.length > 0;
  const isForm = 'multipart/form-data' in (operation.requestBody?.content ?? {});
  if (isLimited && operation.responses['201'] && !isForm) {
    operation.parameters = [
      ...(operation.parameters ?? []),
      { $ref: '#/components/parameters/IdempotencyKey' },
    ];
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    const names = [
      'X-Request-Id',
      ...(isLimited && status !== '401' ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
      ...(isLimited && /^40[13]$/.test(status) ? ['WWW-Authenticate'] : []),
      ...(/^(429|503)$/.test(status) ? ['Retry-After'] : []),
    ];
    response.headers = {
      ...response.headers,
      ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    };
  }
}
