import { readFile } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import type { App } from '#platform/http/app.ts';
import { PAGE_HEADERS } from '#platform/http/security-headers.ts';
import { type Html, html } from '../pages/html.ts';
import { textsFor } from '../pages/language.ts';
import { MARK_PATH } from '../pages/layout.ts';
import type { Library } from './library.ts';
import { type DocPage, renderDocPage } from './page.ts';
import type { ApiDocument } from './reference/document.ts';
import { DOCS_STYLE } from './style.ts';

const CARDS = [
  ['/docs/guide/quickstart', 'Quickstart', 'A bot that answers, in five minutes, with nothing but curl.'],
  ['/docs/guide/quickstart-sdk', 'Quickstart with the SDK', 'The same in a few lines of JavaScript.'],
  ['/docs/guide/', 'Guide', 'Concepts, webhooks, OAuth, errors, limits.'],
  ['/docs/reference/', 'API reference', 'Every endpoint, its fields, answers and errors.'],
  ['/docs/operate/', 'Operate', 'Self-hosting, backup, upgrade, monitoring, security.'],
  ['/docs/changelog', 'Changelog', 'What changed.'],
] as const;

/** The start page of the documentation. */
function homePage(): DocPage {
  const body = html`<h1>Parley documentation</h1>
<p>Bots, groups and broadcast lists, stories, polls and OAuth 2.0 of a chat platform that you run yourself.</p>
${cards()}`;
  return { title: 'Documentation', address: '/docs/', body: body.text, sections: [] };
}

/** The page for unknown addresses. */
function missingPage(address: string): DocPage {
  const body = html`<h1>There is no such page</h1>
<p>Nothing is at <code>${address}</code>. Search for it above, or begin here:</p>
${cards()}`;
  return { title: 'Page not found', address, body: body.text, sections: [] };
}

function cards(): Html {
  return html`<ul class="cards">${CARDS.map(([address, title, about]) => html`<li><a href="${address}">${title}</a><p>${about}</p></li>\n`)}</ul>`;
}

const ABOUT = `# Parley

> A chat platform with a public HTTP API: bots, groups and broadcast lists, polls, stories, OAuth 2.0, and signed webhooks.

A bot calls \`/v1\` with its API key, a program that acts for a person with an OAuth access token, both as \`Authorization: Bearer\`.
Bodies are JSON. An answer is \`{ status, message, data, timestamp }\`, an error \`{ status: "error", code, message }\`, whose message names the
faulty field. A bot cannot write to people who never wrote to it.
`;

/** An index for AI assistants: the project in a paragraph, and a link to each page of the documentation (llmstxt.org). */
function renderLlms({ parts }: Library, baseUrl: string): string {
  const lists = parts.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${baseUrl}${page.address})`);
    return `\n## ${title}\n\n${links.join('\n')}\n`;
  });
  return `${ABOUT}${lists.join('')}\n## Machine-readable\n\n- [OpenAPI 3.1 document](${baseUrl}/openapi.json)\n`;
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#1f55c8"><path d="${MARK_PATH}"/></svg>`;

/**
 * The documentation at `/docs`: the pages of `docs/`, the API reference made from the OpenAPI document, and a search that
 * runs entirely in the browser. The pages need neither scripts nor the database.
 */
export async function docs(app: App): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, withoutDatabase: true };
    route.schema = { ...route.schema, hide: true };
  });

  let reading: Promise<Library> | undefined;
  /** Read and rendered on the first request, so that the renderer and the highlighter are loaded only when needed. */
  const library = (): Promise<Library> => {
    // The plugin's types lack webhooks and the properties that all of our operations have.
    const api = app.swagger() as object as ApiDocument;
    reading ??= import('./library.ts')
      .then(({ readLibrary }) => readLibrary(api))
      .catch((error) => {
        reading = undefined;
        throw error;
      });
    return reading;
  };
  const send = async (reply: FastifyReply, page: DocPage) =>
    reply
      .headers({
        ...PAGE_HEADERS,
        'content-security-policy': PAGE_POLICY,
        'cache-control': 'no-cache',
        vary: 'accept-language, cookie',
      })
      .type('text/html; charset=utf-8')
      .send(renderDocPage(page, (await library()).parts, textsFor(reply.request)));

  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get('/docs/', (_request, reply) => send(reply, homePage()));
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const { byAddress } = await library();
    const address = `/docs/${request.params['*']}`;
    const page = byAddress.get(address);
    if (page) return send(reply, page);
    if (byAddress.has(`${address}/`)) return reply.redirect(`${address}/`);
    return send(reply.code(404), missingPage(address));
  });

  app.get('/llms.txt', async (_request, reply) => {
    const { servers } = app.swagger() as object as ApiDocument;
    reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8');
    return renderLlms(await library(), servers[0].url);
  });
  app.get('/docs/search.json', async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    const { byAddress } = await library();
    return [...byAddress.values()].flatMap(({ address, title, sections }) =>
      sections.map(({ anchor, heading, text }) => ({
        id: anchor ? `${address}#${anchor}` : address,
        title,
        heading,
        text,
      })),
    );
  });
  await serve('docs.css', 'text/css', DOCS_STYLE);
  await serve('icon.svg', 'image/svg+xml', ICON);
  for (const script of ['search.js', 'search-box.js'])
    await serve(script, 'text/javascript', await readFile(new URL(script, import.meta.url), 'utf8'));
  await serve(
    'minisearch.js',
    'text/javascript',
    await readFile(new URL(import.meta.resolve('minisearch')), 'utf8'),
  );

  async function serve(name: string, type: string, text: string): Promise<void> {
    app.get(`/docs/assets/${name}`, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(text),
    );
  }
}
