import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CHAT_PATHS } from '#contract/chat/paths.ts';
import type { App } from '#platform/http/app.ts';
import { answerNotFound } from '#platform/http/error-handler.ts';
import { PAGE_HEADERS } from '#platform/http/security-headers.ts';
import type { Platform } from '#platform/platform.ts';

const BUILT = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const SDK = fileURLToPath(new URL('../../sdk/dist/', import.meta.url));

/** The paths of each page; the page itself routes what follows. */
const PAGES = {
  console: ['/console', '/console/*', '/operate', '/operate/*'],
  chat: CHAT_PATHS,
  'sign-in': ['/reset'],
};

/** Prefixes of paths that only programs call. */
const PROGRAMS = /^\/(v1|api|oauth)(\/|$)/;

const NONCE_BYTES = 16;

/** The service worker fetches nothing but the chat's own files. */
const SERVICE_WORKER = 'service-worker.js';
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/**
 * The console at `/console`, the people's chat at `/` and the SDK, as built by `npm start`. Each page gets its own nonce for
 * styles; scripts come from this server only. Images, video and audio may come from any https host, since messages carry
 * such links (contract §2).
 */
export async function web(app: App, { random, log, config }: Platform): Promise<void> {
  if (!existsSync(BUILT)) {
    log.warn('the web pages are not built (npm run build:web): the console and the chat will not be served');
    return;
  }
  if (!existsSync(`${SDK}parley-sdk.tgz`))
    log.warn('the SDK is not built (npm run build:sdk) and will not be served');
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, withoutDatabase: true };
    route.schema = { ...route.schema, hide: true };
  });
  await app.register(fastifyStatic, {
    root: `${BUILT}assets`,
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  // These keep their names between builds, so browsers must revalidate them.
  for (const file of await readdir(BUILT, { withFileTypes: true })) {
    if (!file.isFile()) continue;
    app.get(`/${file.name}`, (_request, reply) =>
      reply
        .headers(file.name === SERVICE_WORKER ? { 'content-security-policy': WORKER_POLICY } : {})
        .sendFile(file.name, BUILT, { maxAge: 0, immutable: false }),
    );
  }
  // The packages that match this server, for `npm install`.
  for (const name of ['parley-sdk.tgz', 'parley-testing.tgz'])
    app.get(`/sdk/${name}`, (_request, reply) => reply.sendFile(name, SDK, { maxAge: 0, immutable: false }));
  for (const [name, paths] of Object.entries(PAGES)) {
    const send = await readPage(name, { random, config });
    for (const path of paths) app.get(path, (_request, reply) => send(reply));
  }
}

/** Answers a request for an address that does not exist. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Answers unknown addresses: browsers get a page, programs the envelope. Registered on the root, since plugins do not see
 * requests without a route.
 */
export async function pageForUnknown(
  app: App,
  { random, config }: Pick<Platform, 'random' | 'config'>,
): Promise<AnswerUnknown> {
  if (!existsSync(BUILT)) return answerNotFound;
  const send = await readPage('chat', { random, config });
  const isPerson = ({ method, url, headers }: FastifyRequest) =>
    method === 'GET' && headers.accept?.includes('text/html') && !PROGRAMS.test(url);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && isPerson(request)) send(reply.status(404));
    else done();
  });
  return (request, reply) => (isPerson(request) ? send(reply.status(404)) : answerNotFound(request, reply));
}

/** Reads a page as built, to be sent with further headers. Without it the address is unknown. */
export async function readPage(
  name: string,
  { random, config }: Pick<Platform, 'random' | 'config'>,
): Promise<(reply: FastifyReply, headers?: Readonly<Record<string, string>>) => FastifyReply> {
  if (!existsSync(BUILT))
    return (reply) => {
      reply.callNotFound();
      return reply;
    };
  const page = await readFile(`${BUILT}${name}/index.html`, 'utf8');
  const tiles = config.mapTiles && new URL(config.mapTiles.url).origin;
  return (reply, headers) => {
    const nonce = random.bytes(NONCE_BYTES).toString('base64');
    return reply
      .headers({
        ...PAGE_HEADERS,
        'content-security-policy': pagePolicy(nonce, tiles),
        'cache-control': 'no-cache',
        ...headers,
      })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__CSP_NONCE__', nonce));
  };
}

/** @param tiles the origin of map tiles, which may be on this machine without TLS */
function pagePolicy(nonce: string, tiles: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' https: data: blob:${tiles?.startsWith('http:') ? ` ${tiles}` : ''}`,
    "media-src 'self' https: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
