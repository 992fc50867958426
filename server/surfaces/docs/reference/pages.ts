import { Html, html } from '../../pages/html.ts';
import { renderInline } from '../markdown.ts';
import type { DocPage, DocPart } from '../page.ts';
import { type ApiDocument, type Endpoint, listEndpoints } from './document.ts';
import { renderEndpoint } from './endpoint.ts';

const ADDRESS = '/docs/reference/';

/** The API reference: a page for each tag of the OpenAPI document, and one that lists every operation. */
export function renderReference(document: ApiDocument): DocPart & { home: DocPage } {
  const endpoints = listEndpoints(document);
  const pages = document.tags.map((tag) =>
    renderTag(
      document,
      tag,
      endpoints.filter(({ operation }) => operation.tags[0] === tag.name),
    ),
  );
  const home = renderHome(document, endpoints);
  return { title: 'API reference', address: ADDRESS, pages, home };
}

function renderTag(
  document: ApiDocument,
  { name, description, externalDocs }: ApiDocument['tags'][number],
  endpoints: Endpoint[],
): DocPage {
  const guide = new URL(externalDocs.url).pathname;
  const body = html`<h1>${name}</h1>
<p>${new Html(renderInline(description))} See the <a href="${guide}">guide</a>.</p>
${endpoints.map((endpoint) => renderEndpoint(document, endpoint))}`;
  return {
    address: addressOf(name),
    title: name,
    body: body.text,
    sections: [
      { anchor: '', heading: name, depth: 1, text: description },
      ...endpoints.map(({ method, path, operation }) => ({
        anchor: operation.operationId,
        heading: operation.summary,
        depth: 2,
        text: `${method} ${path} ${operation.operationId} ${operation.description}`.replaceAll('`', ''),
      })),
    ],
  };
}

function renderHome(document: ApiDocument, endpoints: Endpoint[]): DocPage {
  const [{ url }] = document.servers;
  const about = `Every operation is below ${url}. Send the credential as Authorization: Bearer, and bodies as JSON.`;
  const body = html`<h1>API reference</h1>
<p>Every operation is below <code>${url}</code>. Send the credential as <code>Authorization: Bearer …</code>, and bodies as
JSON. The samples read it from the environment: <code>PARLEY_API_KEY</code> is the key of a bot,
<code>PARLEY_ACCESS_TOKEN</code> the token of a person who consented. Those in JavaScript use <a href="/docs/guide/sdk">the
SDK</a>, those in Python and Go nothing but the standard library.</p>
<p>Made from the <a href="/openapi.json">OpenAPI 3.1 document</a>, which code generators read too.</p>
${document.tags.map(({ name, description }) => {
  const own = endpoints.filter(({ operation }) => operation.tags[0] === name);
  return html`<h2 id="${name.toLowerCase()}"><a href="${addressOf(name)}">${name}</a></h2>
<p>${new Html(renderInline(description))}</p>
<ul class="operations">${own.map(({ method, path, operation }) => html`<li><a href="${addressOf(name)}#${operation.operationId}">${operation.summary}</a> <code>${method === 'webhook' ? '' : `${method} `}${path}</code></li>\n`)}</ul>
`;
})}`;
  return {
    address: ADDRESS,
    title: 'API reference',
    body: body.text,
    sections: [{ anchor: '', heading: 'API reference', depth: 1, text: about }],
  };
}

function addressOf(tag: string): string {
  return `${ADDRESS}${tag.toLowerCase()}`;
}
