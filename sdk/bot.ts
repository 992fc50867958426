import { Actor } from './actor.ts';
import { type FastifyLike, fastifyPlugin } from './adapters/fastify.ts';
import { fetchHandler } from './adapters/fetch.ts';
import { type NodeRequest, type NodeResponse, nodeHandler } from './adapters/node.ts';
import {
  type CommandMatch,
  Composer,
  type MessageKinds,
  type Middleware,
  type TextMatch,
} from './composer.ts';
import { EventDispatcher, type FailureHandler } from './event-dispatcher.ts';
import { type EventStore, MemoryEventStore } from './event-store.ts';
import type { AnyMessage } from './incoming.ts';
import { Polling, type PollOptions } from './polling/polling.ts';
import { Receiver } from './receiver.ts';
import { required } from './required.ts';
import { type CallOptions, Service, type ServiceOptions } from './service.ts';
import type {
  AcknowledgeEvents,
  DeadLetter,
  DeadLetterPage,
  EventPage,
  GroupMessage,
  Message,
  ReplayedEvents,
  RequestPage,
  SentMessage,
} from './wire.ts';

/** The bot's credentials, and the store of its handled events. */
export interface BotOptions extends ServiceOptions {
  /** The application's API key. */
  apiKey: string | undefined;
  /** The application's webhook secret; needed only to receive webhooks. */
  webhookSecret?: string | undefined;
  /** Which events were handled; defaults to the last 10,000, in memory. */
  store?: EventStore;
  /** Called with errors of handlers; they are printed by default. */
  onError?: (error: unknown) => void;
}

/**
 * A bot: sends messages, and receives them by webhook or by polling.
 *
 * @example
 * const echo = new Bot({ baseUrl, apiKey, webhookSecret });
 * echo.on('message', (message) => message.reply(`You wrote: ${message.textMsg}`));
 * createServer(echo.nodeHandler()).listen(0);
 */
export class Bot<State extends object = Record<string, unknown>> extends Actor {
  readonly #service: Service;
  readonly #authorization: string;
  readonly #webhookSecret: string | undefined;
  readonly #composer = new Composer<State>();
  readonly #desk: EventDispatcher<State>;

  constructor({ apiKey, webhookSecret, store, onError, ...serviceOptions }: BotOptions) {
    const service = new Service(serviceOptions);
    const authorization = `Bearer ${required('apiKey', apiKey)}`;
    super((request) => service.call({ ...request, headers: { ...request.headers, authorization } }));
    this.#service = service;
    this.#authorization = authorization;
    this.#webhookSecret = webhookSecret;
    this.#desk = new EventDispatcher(this, {
      store: store ?? new MemoryEventStore(),
      composer: this.#composer,
      onError: onError ?? console.error,
    });
  }

  /**
   * Sends a private message of any of the 8 types to a person who wrote to the bot.
   *
   * @example
   * const { msgId } = await bot.sendMessage({ to: ada, type: 'text', content: 'Sunny, 21 °C.' });
   * await bot.sendMessage({ to: ada, type: 'location', location: { latitude: 46.9, longitude: 7.4 } });
   */
  async sendMessage(message: Message, options?: CallOptions): Promise<SentMessage> {
    return this.data(await this.create('/v1/messages', message, options));
  }

  /**
   * Writes into a group that the bot is a member of.
   *
   * @example
   * await bot.sendGroupMessage({
   *   groupId: group,
   *   type: 'image',
   *   fileUrl: 'https://cdn.example.com/map.png',
   *   caption: 'Where we meet, @Ada',
   *   mentionedUserIds: [ada],
   * });
   */
  async sendGroupMessage(message: GroupMessage, options?: CallOptions): Promise<SentMessage> {
    return this.data(await this.create('/v1/messages/group', message, options));
  }

  /**
   * Adds middleware for every message, or all handlers of a composer. Handlers run in the order in which they were added:
   * the first that matches gets the message, and the next one if it calls `next`.
   *
   * @example
   * bot.use(async (message, next) => {
   *   const startedAt = performance.now();
   *   await next();
   *   console.log(message.msgId, performance.now() - startedAt);
   * });
   */
  use(...middleware: (Middleware<AnyMessage<State>> | Composer<State>)[]): this {
    this.#composer.use(...middleware);
    return this;
  }

  /**
   * Handles private messages (`message`) or those in groups (`groupMessage`). An event whose handler throws is delivered again.
   *
   * @example
   * bot.on('message', (message) => message.reply('Hello!'));
   * bot.on('groupMessage', async (message) => {
   *   if (message.isMentioned) await message.reply('At your service.');
   * });
   */
  on<K extends keyof MessageKinds<State>>(kind: K, ...handlers: Middleware<MessageKinds<State>[K]>[]): this {
    this.#composer.on(kind, ...handlers);
    return this;
  }

  /**
   * Handles a command such as `/start`, also with the bot's username, as in `/start@weather_bot`. The words after it are
   * the `match`.
   *
   * @throws TypeError for a name that no command can have (contract §2)
   * @example
   * bot.command('weather', (message) => message.reply(`Sunny in ${message.match || 'Bern'}.`));
   */
  command(
    name: string | readonly string[],
    ...handlers: Middleware<AnyMessage<State> & CommandMatch>[]
  ): this {
    this.#composer.command(name, ...handlers);
    return this;
  }

  /**
   * Handles text that equals a string or matches a regular expression (the `match`). The caption is the text of an image, a
   * video or a document.
   *
   * @example
   * bot.hears(/^remind me in (\d+) minutes$/, (message) => message.reply(`In ${message.match[1]} minutes.`));
   */
  hears<T extends string | RegExp>(
    trigger: T | readonly T[],
    ...handlers: Middleware<AnyMessage<State> & TextMatch<T>>[]
  ): this {
    this.#composer.hears(trigger, ...handlers);
    return this;
  }

  /**
   * Called when a handler throws; without it the error is printed. The event is tried again either way: while polling after
   * 1, 2, 4 … s, up to 8 times; by webhook when the service retries.
   *
   * @example
   * bot.catch(async ({ error, message, isLast }) => {
   *   console.error(message.msgId, error);
   *   if (isLast) await message.reply('Sorry, I cannot answer that.');
   * });
   */
  catch(handler: FailureHandler<State>): this {
    this.#desk.catch(handler);
    return this;
  }

  /**
   * A webhook receiver for `node:http`, `node:https` and Express. In Express, mount it before `express.json()`, or
   * after `express.raw({ type: '*\/*' })`: it needs the raw body.
   *
   * @example
   * const server = createServer(bot.nodeHandler());
   */
  nodeHandler(): (request: NodeRequest, response: NodeResponse) => void {
    return nodeHandler(this.#receiver());
  }

  /**
   * A webhook receiver as a Fastify plugin.
   *
   * @example
   * const app = fastify();
   * await app.register(bot.fastifyPlugin({ path: '/hook' }));
   */
  fastifyPlugin(options: { path: string }): (app: FastifyLike) => Promise<void> {
    return fastifyPlugin(this.#receiver(), options.path);
  }

  /**
   * A webhook receiver for runtimes with the Fetch API: Bun, Deno, Hono, workers.
   *
   * @example
   * const handle = bot.fetchHandler();
   * const answer = await handle(new Request('https://bot.example.com/hook', { method: 'POST', body: '{}' }));
   * console.log(answer.status); // 401: it is not signed
   */
  fetchHandler(): (request: Request) => Promise<Response> {
    return fetchHandler(this.#receiver());
  }

  /**
   * One page of the events that the service keeps, oldest first. `poll()` is the easy way to handle them.
   *
   * @example
   * const { events, nextAfter } = await bot.listEvents({ limit: 10 });
   * const { hasMore } = await bot.listEvents({ after: nextAfter });
   */
  async listEvents(page: { after?: string; limit?: number } = {}, options?: CallOptions): Promise<EventPage> {
    return this.data(await this.request('GET', `/v1/events?${queryOf(page)}`, undefined, options));
  }

  /**
   * Stores how far the bot has handled its events, and gives up some of them; `poll()` calls it by itself.
   * `listEvents({ after: 'acknowledged' })` continues there.
   *
   * @example
   * const { events, nextAfter } = await bot.listEvents();
   * for (const { event } of events) console.log(event.data.msgId);
   * await bot.acknowledgeEvents({ upTo: nextAfter });
   */
  async acknowledgeEvents(events: AcknowledgeEvents, options?: CallOptions): Promise<void> {
    await this.request('POST', '/v1/events/acknowledge', events, options);
  }

  /**
   * One page of the application's API log, the newest request first.
   *
   * @example
   * const { requests } = await bot.listRequests();
   * for (const { method, route, status } of requests) console.log(method, route, status);
   */
  async listRequests(page: { before?: string } = {}, options?: CallOptions): Promise<RequestPage> {
    return this.data(await this.request('GET', `/v1/requests?${queryOf(page)}`, undefined, options));
  }

  /**
   * One page of the events that were given up, the oldest first.
   *
   * @example
   * const { deadLetters, nextAfter } = await bot.listDeadLetters({ limit: 10 });
   * console.log(deadLetters.length, nextAfter ? 'and more' : 'in all');
   */
  async listDeadLetters(
    page: { after?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<DeadLetterPage> {
    const path = `/v1/events/dead-letters?${queryOf(page)}`;
    return this.data(await this.request('GET', path, undefined, options));
  }

  /**
   * All events that were given up, by `poll()` after 8 tries or by the service after 8 attempts at the webhook, the oldest
   * first.
   *
   * @example
   * for await (const { eventId, message } of bot.deadLetters()) {
   *   console.log(message);
   *   await bot.replayEvents([eventId]);
   * }
   */
  async *deadLetters(options?: CallOptions): AsyncGenerator<DeadLetter, void> {
    let after: string | undefined;
    do {
      const page = await this.listDeadLetters(after ? { after } : {}, options);
      yield* page.deadLetters;
      after = page.nextAfter;
    } while (after);
  }

  /**
   * Sends up to 100 events again, by webhook or to `poll()`, which skips those that the bot has handled.
   *
   * @example
   * const { replayed } = await bot.replayEvents(['dlv_06f2c8k4x1m9q7t3w5z8b2n4']);
   */
  async replayEvents(eventIds: string[], options?: CallOptions): Promise<ReplayedEvents> {
    return this.data(await this.request('POST', '/v1/events/replay', { eventIds }, options));
  }

  /**
   * Fetches events instead of receiving webhooks, for bots without a public address. Runs until the signal aborts and the
   * running handlers have ended; survives outages.
   *
   * Conversations are handled in parallel, each in order. An event whose handler throws blocks nothing: it is tried again
   * after 1, 2, 4 … s, and after 8 tries becomes a dead letter (`deadLetters()`, and the console's event log). Without
   * `after` and `cursor`, polling continues after the last acknowledged event.
   *
   * @throws ParleyError when the service refuses the bot's key or its cursor
   * @example
   * const stop = new AbortController();
   * const polling = bot.poll({ signal: stop.signal, concurrency: 20 });
   * stop.abort();
   * await polling;
   */
  async poll(options: PollOptions = {}): Promise<void> {
    return new Polling(options, {
      service: this.#service,
      authorization: this.#authorization,
      desk: this.#desk,
      acknowledge: (events, signal) => this.acknowledgeEvents(events, { signal }),
    }).run();
  }

  #receiver(): Receiver {
    return new Receiver(required('webhookSecret', this.#webhookSecret), this.#desk, this.#service.now);
  }
}

function queryOf(page: { after?: string; before?: string; limit?: number }): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(page)) query.set(name, String(value));
  return query;
}
