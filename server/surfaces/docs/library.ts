import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Html, html } from '../pages/html.ts';
import { renderInline, renderMarkdown } from './markdown.ts';
import type { DocPage, DocPart } from './page.ts';
import { type ApiDocument, type Endpoint, listEndpoints } from './reference/document.ts';
import { renderEndpoint } from './reference/endpoint.ts';

const ADDRESS = '/docs/reference/';

/** The API reference: a page for each tag of the OpenAPI document, and one that lists every operation. */
function renderReference(document: ApiDocument): DocPart & { home: DocPage } {
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

/** Placeholder in a page for a file of the repository. */
const CODE = /<!-- code: (examples\/[\w-]+\.ts) -->/g;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PARTS = ['guide', 'operate'] as const;
/** Used in the files, so that they work as written; a server replaces it with its own address. */
const WRITTEN_ADDRESS = 'http://localhost:3000';

export interface Library {
  parts: DocPart[];
  byAddress: ReadonlyMap<string, DocPage>;
}

async function listFiles(): Promise<string[]> {
  const folders = await Promise.all(
    PARTS.map(async (part) => {
      const names = await readdir(`${ROOT}docs/${part}`);
      return names.filter((name) => name.endsWith('.md')).map((name) => `docs/${part}/${name}`);
    }),
  );
  return [...folders.flat(), 'CHANGELOG.md'];
}

/**
 * The pages of `docs/guide` and `docs/operate`, the changelog, and the API reference.
 *
 * @param api the OpenAPI document of this server, whose address is in every example
 */
export async function readLibrary(api: ApiDocument): Promise<Library> {
  const files = await listFiles();
  const [{ url }] = api.servers;
  const texts = new Map(
    await Promise.all(
      files.map(async (file) => {
        const text = await withCode(await readFile(ROOT + file, 'utf8'));
        return [file, text.replaceAll(WRITTEN_ADDRESS, url)] as const;
      }),
    ),
  );
  const addressOf = (file: string) => (texts.has(file) ? toAddress(file) : undefined);
  const pages = [...texts].map(([file, text]) => ({
    address: toAddress(file),
    ...renderMarkdown(text, file, addressOf),
  }));
  const { home, ...reference } = renderReference(api);
  const byAddress = new Map(
    [...pages, home, ...reference.pages].map((page) => [page.address, page] as const),
  );
  const [guide, operate] = PARTS.map((part) =>
    toPart(part, texts.get(`docs/${part}/README.md`) ?? '', byAddress),
  ) as [DocPart, DocPart];
  return { parts: [guide, reference, operate], byAddress };
}

async function withCode(text: string): Promise<string> {
  const files = new Map<string, string>();
  for (const [, file = ''] of text.matchAll(CODE)) files.set(file, await readFile(ROOT + file, 'utf8'));
  return text.replaceAll(CODE, (_mark, file) => `\`\`\`ts ${basename(file)}\n${files.get(file)}\`\`\``);
}

function toAddress(file: string): string {
  if (file === 'CHANGELOG.md') return '/docs/changelog';
  return `/${file.replace(/(README)?\.md$/, '')}`;
}

function toPart(part: string, contents: string, pages: ReadonlyMap<string, DocPage>): DocPart {
  const address = `/docs/${part}/`;
  const named = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => `${address}${name}`);
  const found = [...new Set(named)].flatMap((page) => pages.get(page) ?? []);
  return { title: pages.get(address)?.title ?? part, address, pages: found };
}
