import { createServer } from 'node:http';
import { listening } from '#testing/free-port.ts';
import { Browser } from './browser.ts';

export type ClientApplication = Awaited<ReturnType<typeof startClientApplication>>;

/**
 * A third-party application: its registration, and the server that people's browsers return to. Its callback redirects to
 * another of its own origins, as applications with several hosts do.
 */
export async function startClientApplication(origin: string, name: string) {
  const welcome = createServer((_request, response) => response.end('welcome back'));
  const welcomeUrl = `http://localhost:${await listening(welcome, 'localhost')}/welcome`;
  /** Pages of its own, to simulate a hostile one; HTML by path. */
  const pages = new Map<string, string>();
  /** The parameters with which browsers returned. */
  const returns: URLSearchParams[] = [];
  const site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const page = pages.get(pathname);
    if (page !== undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (pathname !== '/callback') return response.writeHead(404).end();
    returns.push(searchParams);
    return response.writeHead(302, { location: welcomeUrl }).end();
  });
  const url = `http://localhost:${await listening(site, 'localhost')}`;
  const redirectUri = `${url}/callback?tenant=7`;
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
    url,
    returns,
    /** The URL at which a person gives consent. */
    authorizeUrl: (scope: string, state: string) =>
      `${origin}/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        scope,
        state,
      })}`,
    /** Posts a form to the token or revocation endpoint, as a server does. */
    posts: async (path: string, fields: Record<string, string>) =>
      read(
        await fetch(origin + path, { method: 'POST', body: new URLSearchParams({ ...client, ...fields }) }),
      ),
    /** Calls the API for the person. */
    gets: async (path: string, accessToken: string) =>
      read(await fetch(origin + path, { headers: { authorization: `Bearer ${accessToken}` } })),
    async [Symbol.asyncDispose]() {
      for (const server of [site, welcome]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
