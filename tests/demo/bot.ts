import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Bot } from '../../sdk/index.ts';

/**
 * The demo's bot, in a process of its own, as in production: the SDK's https webhook receiver, which verifies every
 * signature over the raw bytes and answers the person. Reports the raw traffic to its parent process.
 */
interface Settings {
  cert: string;
  key: string;
}

export interface Credentials {
  apiKey: string;
  webhookSecret: string;
  apiUrl: string;
}

export type BotReport =
  | { kind: 'listening'; port: number }
  | {
      kind: 'exchange';
      headers: Record<string, string>;
      rawBody: string;
      isVerified: boolean;
      answer: { request: string; status: number; body: string };
    };

type Answer = Extract<BotReport, { kind: 'exchange' }>['answer'];

let handle: ReturnType<Bot['nodeHandler']>;
let answer: Answer;

process.on('message', (message: { settings?: Settings; credentials?: Credentials }) => {
  if (message.settings) listen(message.settings);
  if (message.credentials) handle = createBot(message.credentials).nodeHandler();
});

function createBot({ apiUrl, ...credentials }: Credentials): Bot {
  const bot = new Bot({ baseUrl: apiUrl, ...credentials, fetch: fetchAndNote });
  return bot.on('message', ({ type, textMsg, reply }) =>
    reply(`I received your ${type}${textMsg ? `: “${textMsg}”` : ''}`),
  );
}

/** The SDK's request and the service's response, unchanged. */
async function fetchAndNote(url: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  answer = {
    request: String(init?.body),
    status: response.status,
    body: await response.clone().text(),
  };
  return response;
}

function listen(settings: Settings): void {
  const server = createServer(settings, async (request, response) => {
    // The transcript needs the bytes, too; the SDK finds them where a body parser would store them.
    const body = await buffer(request);
    response.once('finish', () =>
      report({
        kind: 'exchange',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        rawBody: body.toString(),
        isVerified: response.statusCode !== 401,
        answer,
      }),
    );
    handle(Object.assign(request, { body }), response);
  });
  server.listen(0, '127.0.0.1', () =>
    report({ kind: 'listening', port: (server.address() as AddressInfo).port }),
  );
}

function report(message: BotReport): void {
  process.send?.(message);
}
