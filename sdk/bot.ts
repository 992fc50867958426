import { type FastifyLike, fastifyPlugin } from './adapters/fastify.ts';
import { fetchHandler } from './adapters/fetch.ts';
import { type NodeRequest, type NodeResponse, nodeHandler } from './adapters/node.ts';
import { BotCalls } from './bot-calls.ts';
import {
  type AnswerMatch,
  type CommandMatch,
  Composer,
  type MessageKinds,
  type Middleware,
  type TextMatch,
} from './composer.ts';
import {
  type ChosenEvent,
  EventDispatcher,
  type EventHandler,
  type FailureHandler,
} from './event-dispatcher.ts';
import { type EventStore, MemoryEventStore } from './event-store.ts';
import type { AnyMessage } from './incoming.ts';
import { Polling, type PollOptions } from './polling/polling.ts';
import { type AskOptions, type Question, Questions } from './questions.ts';
import { Receiver } from './receiver.ts';
import { requiredSecret } from './required.ts';
import { type CallOptions, Service, type ServiceOptions } from './service.ts';
import { MemorySessionStore, type SessionStore } from './session.ts';
import type { GroupMessage, Message, SentMessage } from './wire.ts';

/** The bot's credentials, and the store of its handled events. */
export interface BotOptions extends ServiceOptions {
  /** The application's API key. */
  apiKey: string | undefined;
  /** The application's webhook secret; needed only to receive webhooks. */
  webhookSecret?: string | undefined;
  /** Which events were handled; defaults to the last 10,000, in memory. */
  store?: EventStore;
  /** The questions that `ask` asked; by default they are lost when the process exits. */
  questions?: SessionStore<Question[]>;
  /** Called with errors of handlers, and at most once a minute with a refused webhook; they are printed by default. */
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
export class Bot<State extends object = Record<string, unknown>> extends BotCalls {
  readonly #service: Service;
  readonly #authorization: string;
  readonly #webhookSecret: string | undefined;
  readonly #composer = new Composer<State>();
  readonly #questions: Questions;
  readonly #dispatcher: EventDispatcher<State>;

  constructor({ apiKey, webhookSecret, store, questions, onError, ...serviceOptions }: BotOptions) {
    const service = new Service(serviceOptions);
    const authorization = `Bearer ${requiredSecret('apiKey', 'xk_live_', apiKey)}`;
    super((request) => service.call({ ...request, headers: { ...request.headers, authorization } }));
    this.#service = service;
    this.#authorization = authorization;
    this.#webhookSecret = webhookSecret;
    this.#questions = new Questions(questions ?? new MemorySessionStore(), service.now);
    this.#dispatcher = new EventDispatcher(this, {
      store: store ?? new MemoryEventStore(),
      composer: this.#composer,
      questions: this.#questions,
      onError: onError ?? console.error,
      now: service.now,
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
    return this.create('POST /v1/messages', message, options);
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
    return this.create('POST /v1/messages/group', message, options);
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
  on<K extends 'message' | 'groupMessage'>(kind: K, ...handlers: Middleware<MessageKinds<State>[K]>[]): this {
    this.#composer.on(kind, ...handlers);
    return this;
  }

  /**
   * Handles a command such as `/start`, also with the bot's username, as in `/start@weather_bot`. The words after it are
   * the `match`.
   *
   * @throws TypeError for a name that no command can have
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
   * Handles an event that the application has chosen, in the console or by `setWebhook()`, such as a vote. Each is handled once, by
   * its `eventId`; if a handler throws, the error goes to `onError`, and the event is delivered again.
   *
   * @example
   * bot.onEvent('group.joined', async ({ groupId }) => {
   *   await bot.sendGroupMessage({ groupId, type: 'text', content: 'Hello, everybody!' });
   * });
   */
  onEvent<T extends ChosenEvent['type']>(type: T, handler: EventHandler<T>): this {
    this.#dispatcher.onEvent(type, handler);
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
   * Replies with a question to the person who wrote the message, and returns once it is sent; `onAnswer` handles the answer, also after
   * a restart if the `questions` of the bot survive it.
   *
   * The answer is what the person writes next in a private conversation without quoting another message; in a group, or once the bot
   * has asked another question, the message that quotes the question, as pressing a button does. All else, also what others write and what comes after the time limit,
   * is an ordinary message. A handler that runs again asks nothing new.
   *
   * @throws TypeError for a time limit that is none
   * @example
   * bot.command('order', (message) => {
   *   const quickReplies = { once: true, buttons: [{ label: 'Soup' }, { label: 'Salad' }] };
   *   return bot.ask(message, 'Soup or salad?', { name: 'dish', quickReplies, timeoutMinutes: 30 });
   * });
   */
  ask(message: AnyMessage<State>, question: string, options: AskOptions): Promise<SentMessage | undefined> {
    return this.#questions.ask(message, question, options);
  }

  /**
   * Handles the answers to the questions that `ask` asked under this name; the `match` has the answer and the `data` of the question.
   * A question has one answer. Handlers run in the order in which they were added, so commands that are no answers come before, and
   * handlers of all messages after.
   *
   * @example
   * bot.onAnswer('dish', (message) => {
   *   const { value } = message.match;
   *   return bot.ask(message, `${value} for how many?`, { name: 'count', data: { dish: value } });
   * });
   * bot.onAnswer<{ dish: string }>('count', (message) => {
   *   const { value, data } = message.match;
   *   return message.reply(`${data.dish} for ${value} it is.`);
   * });
   */
  onAnswer<Data = unknown>(
    name: string,
    ...handlers: Middleware<AnyMessage<State> & AnswerMatch<Data>>[]
  ): this {
    this.#composer.onAnswer(name, ...handlers);
    return this;
  }

  /**
   * Called when a handler throws; without it the error is printed. The event is tried again either way, while polling after
   * 1, 2, 4 … s, up to 8 times, by webhook when the service retries; except after a `GiveUp`, and while polling after an answer
   * of the service that would be the same again, such as 400, 403 or 404.
   *
   * @example
   * bot.catch(async ({ error, message, isLast }) => {
   *   console.error(message.msgId, error);
   *   if (isLast) await message.reply('Sorry, I cannot answer that.');
   * });
   */
  catch(handler: FailureHandler<State>): this {
    this.#dispatcher.catch(handler);
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
   * Fetches events instead of receiving webhooks, for bots without a public address. Runs until the signal aborts and all
   * running handlers have finished; survives outages.
   *
   * Conversations are handled in parallel, each in order. An event whose handler throws blocks nothing: it is tried again
   * after 1, 2, 4 … s, and after 8 tries becomes a dead letter (`deadLetters()`, and the console's event log); at once if the
   * handler throws a `GiveUp`, or the service refused a call with an answer that would be the same again. Without
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
      dispatcher: this.#dispatcher,
      acknowledge: (events, signal) => this.acknowledgeEvents(events, { signal }),
    }).run();
  }

  #receiver(): Receiver {
    const secret = requiredSecret('webhookSecret', 'whsec_', this.#webhookSecret);
    return new Receiver(secret, this.#dispatcher, this.#service.now);
  }
}
