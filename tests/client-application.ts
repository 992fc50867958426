import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Browser } from './browser.ts';

/** A third-party application: its registration, and the server that people's browsers return to. */
export interface ClientApplication extends AsyncDisposable {
  appId: string;
  clientSecret: string;
  redirectUri: string;
  /** Pages of its own, to simulate a hostile one; HTML by path. */
  pages: Map<string, string>;
  url: string;
  /** The parameters with which browsers returned. */
  returns: URLSearchParams[];
  /** The URL at which a person gives consent. */
  authorizeUrl(scope: string, state: string): string;
  /** Posts a form to the token or revocation endpoint, as a server does. */
  posts(
    path: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Calls the API for the person. */
  gets(path: string, accessToken: string): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Its callback redirects to another of its own origins, as applications with several hosts do. */
export async function startClientApplication(origin: string, name: string): Promise<ClientApplication> {
  const welcome = await listen((_request, response) => response.end('welcome back'));
  const pages = new Map<string, string>();
  const returns: URLSearchParams[] = [];
  const site = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const page = pages.get(pathname);
    if (page !== undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (pathname !== '/callback') return response.writeHead(404).end();
    returns.push(searchParams);
    return response.writeHead(302, { location: `${urlOf(welcome)}/welcome` }).end();
  });
  const redirectUri = `${urlOf(site)}/callback?tenant=7`;
  const owner = new Browser(origin);
  await owner.post('/api/auth/sign-up', {
    email: `${crypto.randomUUID()}@example.com`,
    password: 'correct horse',
    name: 'Owner',
  });
  const { appId, clientSecret } = await owner.post('/api/console/applications', { name });
  await owner.post(`/api/console/applications/${appId}/redirect-uris`, { redirectUri });
  const client = { client_id: String(appId), client_secret: String(clientSecret) };
  const read = async (answer: Response) => ({
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
  });
  return {
    appId: client.client_id,
    clientSecret: client.client_secret,
    redirectUri,
    pages,
    url: urlOf(site),
    returns,
    authorizeUrl: (scope, state) =>
      `${origin}/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        scope,
        state,
      })}`,
    posts: async (path, fields) =>
      read(
        await fetch(origin + path, { method: 'POST', body: new URLSearchParams({ ...client, ...fields }) }),
      ),
    gets: async (path, accessToken) =>
      read(await fetch(origin + path, { headers: { authorization: `Bearer ${accessToken}` } })),
    async [Symbol.asyncDispose]() {
      for (const server of [site, welcome]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0);
  await once(server, 'listening');
  return server;
}

function urlOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
