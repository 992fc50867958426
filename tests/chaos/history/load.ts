import { setTimeout as pause } from 'node:timers/promises';
import { type Chance, createChance } from '../../chance.ts';
import type { Operation, Tally } from './operations.ts';
import type { Answer, Request, Transport } from './transport.ts';

const LEAST_PAUSE_MS = 5;
const MOST_PAUSE_MS = 80;

export interface Somebody {
  id: string;
  headers: Record<string, string>;
}

/** Where somebody writes, and how. */
export interface Place {
  thread: string;
  path: string;
  to: object;
}

export interface Poll {
  msgId: string;
  optionIds: string[];
}

interface Message {
  msgId: string;
  content?: string;
  notice?: object;
  poll?: { question: string; options: NonNullable<Tally['options']> };
}

/** An operation before its invocation. */
type Begun = Operation extends infer O ? (O extends Operation ? Omit<O, 'invoked'> : never) : never;

interface Page {
  messages: Message[];
  nextBefore?: string;
}

interface FeedPage {
  events: { cursor: string; event: { data: { msgId: string } } }[];
  nextAfter: string;
  hasMore: boolean;
}

/** Clients, each call of which becomes an operation of the history. */
export class Load {
  readonly operations: Operation[] = [];
  readonly #transport: Transport;
  readonly #seed: number;
  readonly #signal: AbortSignal;
  #texts = 0;

  constructor(transport: Transport, seed: number, signal: AbortSignal) {
    this.#transport = transport;
    this.#seed = seed;
    this.#signal = signal;
  }

  /** Steps until the end of the load, with pauses by chance. */
  async repeat(name: string, step: (chance: Chance) => Promise<unknown>): Promise<void> {
    const chance = createChance(`${this.#seed} ${name}`);
    while (!this.#signal.aborted) {
      await step(chance);
      await pause(chance.between(LEAST_PAUSE_MS, MOST_PAUSE_MS));
    }
  }

  /** A message, or a poll with these options; with a key, it is sent until it is answered. */
  async send(by: Somebody, place: Place, isKeyed: boolean, options?: string[]): Promise<Answer | undefined> {
    const text = `${by.id}:${++this.#texts}`;
    const request: Request = {
      method: 'POST',
      path: options ? '/api/chat/polls' : place.path,
      headers: { ...by.headers, ...(isKeyed && { 'idempotency-key': text }) },
      body: { ...place.to, ...(options ? { question: text, options } : { type: 'text', content: text }) },
    };
    const ask = async () => {
      let answer = await this.#call(request);
      while (!answer && isKeyed && !this.#signal.aborted) answer = await this.#call(request);
      return answer;
    };
    const sent = { kind: 'send', by: by.id, thread: place.thread, text } as const;
    return this.#record(sent, ask, ({ body }) => ({ msgId: body.data.msgId }));
  }

  /** The newest page of a thread with its polls, or all pages. Returns the newest message. */
  async read({ id, headers }: Somebody, thread: string, isFinal = false): Promise<string | undefined> {
    const path = `/api/chat/conversations/${thread}/messages`;
    const get = (query: string) => this.#get<Page>(`${path}${query}`, headers);
    const ask = async () => {
      const page = await get('');
      for (let next = page?.nextBefore; page && isFinal && next; ) {
        const older = await get(`?before=${next}`);
        page.messages.push(...(older?.messages ?? []));
        next = older?.nextBefore;
      }
      return page;
    };
    const invoked = performance.now();
    const page = await this.#record({ kind: 'read', by: id, thread, isFinal }, ask, (page) => ({
      messages: page.messages
        .filter(({ notice }) => !notice)
        .map(toSeen)
        .reverse(),
      isWhole: isFinal || page.nextBefore === undefined,
    }));
    for (const { msgId, poll } of page?.messages ?? [])
      if (poll) {
        const options = poll.options.map(({ id, votes, voters }) => ({ id, votes, voters }));
        this.operations.push({
          kind: 'tally',
          by: id,
          poll: msgId,
          options,
          invoked,
          completed: performance.now(),
        });
      }
    return page?.messages[0]?.msgId;
  }

  /** Moves the read marker to a message; without one, only looks at it. */
  async mark({ id, headers }: Somebody, thread: string, upTo?: string): Promise<void> {
    const path = `/api/chat/conversations/${thread}`;
    const request: Request = upTo
      ? { method: 'POST', path: `${path}/read`, headers, body: { msgId: upTo } }
      : { method: 'GET', path, headers };
    const marked = { kind: 'mark', by: id, thread, ...(upTo && { upTo }) } as const;
    await this.#record(
      marked,
      () => this.#call(request),
      ({ body }) => ({ shown: body.data.readMsgId }),
    );
  }

  /** The events after a cursor, or after the acknowledged one; all pages or the next one. Returns the last cursor. */
  async fetch({ id, headers }: Somebody, after?: number, isFinal = false): Promise<number | undefined> {
    const get = (from: number | string) => this.#get<FeedPage>(`/v1/events?after=${from}`, headers);
    const ask = async () => {
      const page = await get(after ?? 'acknowledged');
      for (let last = page; page && isFinal && last?.hasMore; ) {
        last = await get(last.nextAfter);
        page.events.push(...(last?.events ?? []));
      }
      return page;
    };
    const fetched = { kind: 'feed', by: id, isFinal, ...(after !== undefined && { after }) } as const;
    const page = await this.#record(fetched, ask, ({ events }) => ({
      events: events.map(({ cursor, event }) => ({
        cursor: Number(cursor),
        msgId: event.data.msgId,
        body: JSON.stringify(event),
      })),
    }));
    return page?.events.length ? Number(page.events.at(-1)?.cursor) : undefined;
  }

  async acknowledge({ id, headers }: Somebody, upTo: number): Promise<void> {
    const request: Request = {
      method: 'POST',
      path: '/v1/events/acknowledge',
      headers,
      body: { upTo: `${upTo}` },
    };
    await this.#record(
      { kind: 'acknowledge', by: id, upTo },
      () => this.#call(request),
      () => ({}),
    );
  }

  /** Returns whether it was answered. */
  async vote({ id, headers }: Somebody, { msgId, optionIds }: Poll, option: number): Promise<boolean> {
    const optionId = optionIds[option] as string;
    const body = { messageId: msgId, optionId };
    const answer = await this.#record(
      { kind: 'vote', by: id, poll: msgId, option: optionId },
      () => this.#call({ method: 'POST', path: '/api/chat/polls/vote', headers, body }),
      ({ body }) => ({ chosen: body.data.poll.myOptionIds.join() }),
    );
    return answer !== undefined;
  }

  /** Presents a code or a refresh token. Returns the pair, and whether it was refused. */
  async exchange(family: string, presented: string, body: object) {
    const answer = await this.#record(
      { kind: 'exchange', by: 'app', family, presented },
      () => this.#call({ method: 'POST', path: '/oauth/token', headers: {}, body }, [400, 401]),
      ({ status, body }) =>
        status === 200 ? { access: body.access_token, refresh: body.refresh_token } : {},
    );
    const { access_token: access, refresh_token: refresh } = answer?.body ?? {};
    return { access, refresh } as { access?: string; refresh?: string };
  }

  async use(family: string, access: string): Promise<void> {
    const headers = { authorization: `Bearer ${access}` };
    const request: Request = { method: 'GET', path: '/v1/me', headers };
    const read = ({ status }: Answer) => ({ isAccepted: status === 200 });
    await this.#record({ kind: 'use', by: 'app', family, access }, () => this.#call(request, [401]), read);
  }

  async revoke(family: string, body: object): Promise<void> {
    const request: Request = { method: 'POST', path: '/oauth/revoke', headers: {}, body };
    await this.#record(
      { kind: 'revoke', by: 'app', family },
      () => this.#call(request),
      () => ({}),
    );
  }

  /** Adds to an operation what its answer says. */
  async #record<T>(
    operation: Begun,
    ask: () => Promise<T | undefined>,
    read: (answer: T) => object,
  ): Promise<T | undefined> {
    const recorded: Operation = { ...operation, invoked: performance.now() };
    this.operations.push(recorded);
    const answer = await ask();
    if (answer) Object.assign(recorded, read(answer), { completed: performance.now() });
    return answer;
  }

  async #get<T>(path: string, headers: Record<string, string>): Promise<T | undefined> {
    return (await this.#call({ method: 'GET', path, headers }))?.body.data;
  }

  /** @throws Error for a refusal that is not expected */
  async #call(request: Request, refusals: readonly number[] = []): Promise<Answer | undefined> {
    const answer = await this.#transport(request);
    if (answer && answer.status >= 300 && !refusals.includes(answer.status))
      throw new Error(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

function toSeen({ msgId, content, poll }: Message) {
  return { msgId, text: content ?? poll?.question ?? '' };
}
