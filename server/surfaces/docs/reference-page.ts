import { html } from '../pages/html.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
}

/** Every operation of the OpenAPI document, as the search finds it, at its place in the reference. */
export function listOperations(document: { paths?: object }) {
  const paths = (document.paths ?? {}) as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { operationId = '', summary = '', description = '', tags = [] }]) => ({
        id: `/docs/reference/#/${encodeURIComponent(tags[0] ?? 'default')}/${operationId}`,
        title: 'API reference',
        heading: `${method.toUpperCase()} ${path}`,
        text: `${summary}. ${description}`.trim(),
      }),
    ),
  );
}

/** The same as a list, for browsers that do not run the script which draws more. */
export function operationItems(document: { paths?: object }) {
  return listOperations(document).map(
    ({ heading, text }) => html`<li><code>${heading}</code> ${text}</li>\n`,
  );
}
