/** A web application: people sign in with Parley and post to their story. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { OAuthClient, ParleyError, type PendingLogin } from 'parley-sdk';
import { FileTokenStore } from 'parley-sdk/node';

const { PARLEY_URL, PARLEY_CLIENT_ID, PARLEY_CLIENT_SECRET } = process.env;
const { APP_URL = 'http://localhost:4001', PORT = '4001', APP_DIRECTORY = 'data' } = process.env;
const oauth = new OAuthClient({
  baseUrl: PARLEY_URL,
  clientId: PARLEY_CLIENT_ID,
  clientSecret: PARLEY_CLIENT_SECRET,
  redirectUri: `${APP_URL}/callback`,
  tokens: new FileTokenStore({ directory: APP_DIRECTORY }),
});

/** Pending logins, by the browser's session. */
const pending = new Map<string, PendingLogin>();

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    const isAsking = error instanceof ParleyError && error.status < 500;
    if (!isAsking) console.error(error);
    page(response, isAsking ? 400 : 500, `<p>That did not work: ${escapeHtml(String(error))}</p>`);
  });
}).listen(Number(PORT), () => console.log('listening'));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', APP_URL);
  const session = /\bsession=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return page(response, 200, '<a href="/login">Sign in with Parley</a>');
    case 'GET /login':
      return login(response);
    case 'GET /callback':
      return callback(request, response, session);
    case 'POST /story':
      return post(request, response, session);
    default:
      return page(response, 404, '<p>There is no such page.</p>');
  }
}

async function login(response: ServerResponse): Promise<void> {
  const { url, ...login } = await oauth.authorize({ scopes: ['profile', 'stories:write'] });
  const session = crypto.randomUUID();
  pending.set(session, login);
  // Over https, add `Secure`.
  const cookie = `session=${session}; HttpOnly; SameSite=Lax; Path=/`;
  response.writeHead(302, { location: url, 'set-cookie': cookie }).end();
}

async function callback(request: IncomingMessage, response: ServerResponse, session = ''): Promise<void> {
  const login = pending.get(session);
  pending.delete(session);
  if (!login) return page(response, 400, '<p>Please begin again.</p>');
  const person = await oauth.exchange(new URL(request.url ?? '', APP_URL), login, session);
  const { name } = await person.getUserInfo();
  const form = '<form method="post" action="/story"><input name="text" required><button>Post</button></form>';
  page(response, 200, `<p>Welcome, ${escapeHtml(name)}!</p>${form}`);
}

async function post(request: IncomingMessage, response: ServerResponse, session = ''): Promise<void> {
  const form = new URLSearchParams(await text(request));
  await oauth.person(session).addToStory({ type: 'text', text: form.get('text') ?? '' });
  page(response, 201, '<p>It is in your story now.</p>');
}

function page(response: ServerResponse, status: number, body: string): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' };
  response.writeHead(status, headers).end(`<!doctype html><title>Post my story</title>${body}`);
}

function escapeHtml(words: string): string {
  return words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
