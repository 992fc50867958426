import { html } from '../pages/html.ts';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags?: string[];
}

type Operations = Record<string, Record<string, Operation>>;

interface Document {
  paths?: object | undefined;
  webhooks?: object | undefined;
}

/** Every operation and webhook of the OpenAPI document, as the search finds it, at its place in the reference. */
export function listOperations({ paths = {}, webhooks = {} }: Document) {
  const operations = Object.entries(paths as Operations).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describe(`${method.toUpperCase()} ${path}`, operation.tags?.[0] ?? 'default', operation),
    ),
  );
  const events = Object.entries(webhooks as Operations).flatMap(([event, methods]) =>
    Object.values(methods).map((operation) => describe(`Webhook ${event}`, 'webhooks', operation)),
  );
  return [...operations, ...events];
}

function describe(heading: string, place: string, { operationId, summary, description }: Operation) {
  return {
    id: `/docs/reference/#/${encodeURIComponent(place)}/${operationId}`,
    title: 'API reference',
    heading,
    text: `${summary}. ${description}`,
  };
}

/** The same as a list, for browsers that do not run the script which draws more. */
export function operationItems(document: Document) {
  return listOperations(document).map(
    ({ heading, text }) => html`<li><code>${heading}</code> ${text}</li>\n`,
  );
}
