import { readFile } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import type { App } from '#platform/http/app.ts';
import { PAGE_HEADERS } from '#platform/http/security-headers.ts';
import { html } from '../pages/html.ts';
import { MARK_PATH } from '../pages/layout.ts';
import { type DocPage, listAddresses, readLibrary } from './library.ts';
import { type DocView, markdownContent, renderDocPage } from './page.ts';
import { listOperations, operationItems } from './reference-page.ts';
import { DOCS_STYLE } from './style.ts';

/** Swagger UI, which renders the reference, uses pictures as `data:` and inline styles. Nothing comes from other servers. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#1f55c8"><path d="${MARK_PATH}"/></svg>`;

/**
 * The documentation at `/docs`: the pages of `docs/`, a search that runs in the browser and calls nobody else, and the
 * API reference in the same frame. Its pages need neither scripts nor the database.
 */
export async function docs(app: App): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, withoutDatabase: true };
    route.schema = { ...route.schema, hide: true };
  });

  const send = async (reply: FastifyReply, view: Omit<DocView, 'parts'>, policy = PAGE_POLICY) => {
    const { parts } = await readLibrary();
    return reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(renderDocPage({ ...view, parts }));
  };

  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get('/docs/', (_request, reply) =>
    send(reply, { title: 'Documentation', address: '/docs/', content: homeContent() }),
  );
  for (const address of await listAddresses()) {
    app.get(address, async (_request, reply) => {
      const page = (await readLibrary()).byAddress.get(address) as DocPage;
      return send(reply, { title: page.title, address, content: markdownContent(page) });
    });
    if (address.endsWith('/')) app.get(address.slice(0, -1), (_request, reply) => reply.redirect(address));
  }

  app.get('/docs/reference', (_request, reply) => reply.redirect('/docs/reference/'));
  app.get('/docs/reference/', (_request, reply) =>
    send(
      reply,
      {
        title: 'API reference',
        address: '/docs/reference/',
        content: html`<h1>API reference</h1>
<p>Made from the <a href="/openapi.json">OpenAPI 3.1 document</a>.</p>
<div id="swagger-ui" class="wide"><ul class="operations">${operationItems(app.swagger())}</ul></div>`,
        styles: ['/docs/swagger/static/swagger-ui.css'],
        scripts: ['swagger-ui-bundle', 'swagger-ui-standalone-preset', 'swagger-initializer'].map(
          (name) => `/docs/swagger/static/${name}.js`,
        ),
      },
      REFERENCE_POLICY,
    ),
  );
  // Where the page's own script looks for the document.
  app.get('/docs/reference/json', async () => app.swagger());

  app.get('/docs/search.json', async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    const { byAddress } = await readLibrary();
    const sections = [...byAddress.values()].flatMap(({ address, title, sections }) =>
      sections.map(({ anchor, heading, text }) => ({
        id: anchor ? `${address}#${anchor}` : address,
        title,
        heading,
        text,
      })),
    );
    return [...sections, ...listOperations(app.swagger())];
  });
  await serve('docs.css', 'text/css', DOCS_STYLE);
  await serve('icon.svg', 'image/svg+xml', ICON);
  await serve('search-box.js', 'text/javascript', await readHere('./search-box.js'));
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

function readHere(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8');
}

function homeContent() {
  const cards = [
    ['/docs/guide/quickstart', 'Quickstart', 'A bot that answers, in five minutes, with nothing but curl.'],
    ['/docs/guide/quickstart-sdk', 'Quickstart with the SDK', 'The same in a few lines of JavaScript.'],
    ['/docs/guide/', 'Guide', 'Concepts, webhooks, OAuth, errors, limits.'],
    ['/docs/reference/', 'API reference', 'Every endpoint, its fields, answers and errors.'],
    ['/docs/operate/', 'Operate', 'Self-hosting, backup, upgrade, monitoring, security.'],
    ['/docs/changelog', 'Changelog', 'What changed.'],
  ] as const;
  return html`<h1>Parley documentation</h1>
<p>Bots, groups and broadcast lists, stories, polls and OAuth 2.0 of a chat platform that you run yourself.</p>
<ul class="cards">${cards.map(([address, title, about]) => html`<li><a href="${address}">${title}</a><p>${about}</p></li>\n`)}</ul>`;
}
