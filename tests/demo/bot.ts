import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The demo's bot, a process of its own as a developer would run it: an https webhook receiver that verifies every
 * signature over the raw bytes, then answers the person. Reports what it saw to its parent.
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

let credentials: Credentials | undefined;

process.on('message', (message: { settings?: Settings; credentials?: Credentials }) => {
  if (message.settings) listen(message.settings);
  if (message.credentials) credentials = message.credentials;
});

function listen(settings: Settings): void {
  const server = createServer(settings, async (request, response) => {
    const rawBody = await buffer(request);
    const { apiKey, webhookSecret, apiUrl } = credentials as Credentials;
    const isVerified = verify(webhookSecret, String(request.headers['x-service-signature']), rawBody);
    response.writeHead(isVerified ? 204 : 401).end();
    const { data } = JSON.parse(rawBody.toString());
    const body = JSON.stringify({
      to: data.chatId,
      type: 'text',
      content: `I received your ${data.type}${data.textMsg ? `: “${data.textMsg}”` : ''}`,
      replyToMsgId: data.msgId,
    });
    const answer = await fetch(`${apiUrl}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': data.msgId,
      },
      body,
    });
    report({
      kind: 'exchange',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      rawBody: rawBody.toString(),
      isVerified,
      answer: { request: body, status: answer.status, body: await answer.text() },
    });
  });
  server.listen(0, '127.0.0.1', () =>
    report({ kind: 'listening', port: (server.address() as AddressInfo).port }),
  );
}

/** The contract's signature (§6): HMAC-SHA256 over `<t>.<raw body>`, compared in constant time, at most 300 s old. */
function verify(secret: string, signature: string, rawBody: Buffer): boolean {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature);
  if (!match || Math.abs(Date.now() / 1000 - Number(match[1])) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${match[1]}.`).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(match[2] as string, 'hex'));
}

function report(message: BotReport): void {
  process.send?.(message);
}
