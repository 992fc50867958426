import { nameSchemas } from './components.ts';
import { describeWebhooks } from './webhooks.ts';

interface Operation {
  tags: [string];
  security: object[];
  parameters?: object[];
  responses: Record<string, { headers?: object }>;
}

type Paths = Record<string, Record<string, Operation>>;

/** The document as generated from the routes. */
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
export function completeDocument(draft: Draft, serviceName: string | undefined): object {
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
  if (isLimited && operation.responses['201']) {
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
