import { setTimeout as pause } from 'node:timers/promises';
import type { ChatMessage, MessagePage } from '#contract/chat.ts';
import { type ReceiverOptions, startReceiver } from '#testing/receiver.ts';
import { Browser, fetchAdmitted } from '../browser.ts';
import { OneConnection } from '../one-connection.ts';

/** A person and the bot of their application, who write to each other. */
export interface Pair {
  email: string;
  userId: string;
  appId: string;
  botId: string;
  apiKey: string;
  conversationId: string;
}

const MOST_FAILURES = 100;

export const PASSWORD = 'correct horse';

/** Signs a person up and creates the bot, only through the public API. */
export async function createPair(origin: string, index: number, webhookUrl: string): Promise<Pair> {
  const email = `chaos${index}@example.com`;
  const browser = new Browser(origin);
  await browser.post('/api/auth/sign-up', { email, password: PASSWORD, name: `Person ${index}` });
  const { appId, apiKey } = await browser.post('/api/console/applications', { name: `Bot ${index}` });
  const bot = await browser.post(`/api/console/applications/${appId}/bot`, { username: `chaos${index}_bot` });
  await browser.put(`/api/console/applications/${appId}/webhook-url`, { webhookUrl });
  const first = await browser.post('/api/chat/messages', {
    to: bot['userId'],
    type: 'text',
    content: 'first',
  });
  return {
    email,
    userId: String(first['from']),
    appId: String(appId),
    botId: String(bot['userId']),
    apiKey: String(apiKey),
    conversationId: String(first['conversationId']),
  };
}

/** Several pairs. On a new cluster the first requests may wait too long for plans and connections, and are tried again. */
export async function createPairs(origin: string, count: number, webhookUrl: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let index = 0; pairs.length < count; index++) {
    const creating = createPair(origin, index, webhookUrl);
    if (index < MOST_FAILURES + pairs.length) pairs.push(...(await creating.then(Array.of, () => [])));
    else pairs.push(await creating);
  }
  return pairs;
}

/** Every message of the pair's conversation, newest first. */
export async function readThread(origin: string, pair: Pair): Promise<ChatMessage[]> {
  const browser = await signIn(origin, pair);
  const found: ChatMessage[] = [];
  let query = '';
  do {
    const path = `/api/chat/conversations/${pair.conversationId}/messages${query}`;
    const page = await browser.get<MessagePage>(path);
    found.push(...page.messages);
    query = page.nextBefore ? `?before=${page.nextBefore}` : '';
  } while (query);
  return found;
}

export async function readMsgIds(origin: string, pair: Pair): Promise<Set<string>> {
  return new Set((await readThread(origin, pair)).map(({ msgId }) => msgId));
}

/** Returns the msgId, once it is acknowledged. */
export async function sendAsBot(origin: string, { apiKey, userId }: Pair, content: string): Promise<string> {
  const answer = await fetchAdmitted(`${origin}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: userId, type: 'text', content }),
  });
  const { data } = (await answer.json()) as { data?: { msgId: string } };
  if (answer.status !== 201 || !data) throw new Error(`answered ${answer.status}`);
  return data.msgId;
}

export async function signIn(origin: string, { email }: Pair): Promise<Browser> {
  const browser = new Browser(origin);
  await browser.post('/api/auth/sign-in', { email, password: PASSWORD });
  return browser;
}

/** The headers of the pair's person, signed in. */
export async function signedInHeaders(origin: string, { email }: Pair): Promise<Record<string, string>> {
  using client = new OneConnection(origin);
  const signedIn = await client.post('/api/auth/sign-in', { origin }, { email, password: PASSWORD });
  return { cookie: signedIn.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '', origin };
}

/** The events that a receiver has taken, by msgId: a repeat must have the same bytes. */
export class Heard extends Map<string, string> {
  repeats = 0;
  readonly #changed = new Set<string>();

  take(rawBody: Buffer): void {
    const body = rawBody.toString();
    const { msgId } = JSON.parse(body).data;
    const before = this.get(msgId);
    if (before !== undefined) this.repeats++;
    // Not thrown here: to a receiver, an error is only an answer that it does not give.
    if (before !== undefined && before !== body) this.#changed.add(msgId);
    this.set(msgId, body);
  }

  expectSameBytes(): void {
    if (this.#changed.size > 0)
      throw new Error(`these events were repeated with different bytes: ${[...this.#changed].join(', ')}`);
  }
}

/** A receiver of webhooks, and what it has heard. */
export async function startHearing(options: ReceiverOptions = { tls: 'plain' }) {
  const heard = new Heard();
  const receiver = await startReceiver({
    host: 'localhost',
    respond({ rawBody }) {
      heard.take(rawBody);
      return { status: 204 };
    },
    ...options,
  });
  return Object.assign(receiver, { heard });
}

/** How many events a receiver has not received within that time; returns early if none is missing. */
export async function countUnheard(
  events: Set<string>,
  heard: Pick<ReadonlySet<string>, 'has'>,
  withinMs: number,
): Promise<number> {
  const unheard = () => [...events].filter((msgId) => !heard.has(msgId)).length;
  const until = Date.now() + withinMs;
  while (unheard() > 0 && Date.now() < until) await pause(100);
  return unheard();
}
