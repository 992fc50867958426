import type { BotCalls } from './bot-calls.ts';
import type { Composer, FoundAnswer } from './composer.ts';
import { GiveUp, ParleyError } from './error.ts';
import type { EventStore } from './event-store.ts';
import { type AnyMessage, conversationOf, type MessageCalls, withCalls } from './incoming.ts';
import { ProfileCache } from './profile-cache.ts';
import type { Questions } from './questions.ts';
import { ignoreNotFound, isFromService } from './read-answer.ts';
import { requireHandler } from './required.ts';
import type { CallOptions } from './service.ts';
import type {
  GroupMessage,
  GroupMessageReceivedEvent,
  Me,
  Message,
  MessageReceivedEvent,
  PingEvent,
  ReceivedEvent,
  SentMessage,
} from './wire.ts';

/** A handler threw. The event is retried, unless this was the last attempt. */
export interface Failure<State extends object = Record<string, unknown>> {
  error: unknown;
  message: AnyMessage<State>;
  /** The number of the attempt, from 1. Only while polling: the service counts the attempts of webhooks. */
  attempt?: number;
  /** There is no further attempt: while polling, the event becomes a dead letter. */
  isLast?: boolean;
}

/** Called when a handler throws. */
export type FailureHandler<State extends object = Record<string, unknown>> = (
  failure: Failure<State>,
) => unknown;

/** The number of the attempt, if counted. */
export type Attempt = Pick<Failure, 'attempt' | 'isLast'>;

type Fault = Omit<Failure, 'message'>;

/** How an event is handled, and what happens when a handler throws. */
interface Work {
  handle(): Promise<unknown>;
  fail(fault: Fault): unknown;
}

/** An event that the application has chosen, beyond messages. */
export type ChosenEvent = Exclude<
  ReceivedEvent,
  MessageReceivedEvent | GroupMessageReceivedEvent | PingEvent
>;

const CHOSEN_EVENTS = Object.keys({
  'group.joined': true,
  'group.left': true,
  'member.joined': true,
  'member.left': true,
  'message.edited': true,
  'message.deleted': true,
  'reaction.changed': true,
  'poll.voted': true,
  'bot.blocked': true,
} satisfies Record<ChosenEvent['type'], true>);

/** Handles the events of one type. */
export type EventHandler<T extends ChosenEvent['type']> = (
  data: Extract<ChosenEvent, { type: T }>['data'],
) => unknown;

/** The client with which messages are answered. */
type Client = Pick<
  BotCalls,
  | 'getMe'
  | 'getProfile'
  | 'getMessage'
  | 'sendTyping'
  | 'showDraft'
  | 'editMessage'
  | 'deleteMessage'
  | 'reactToMessage'
> & {
  sendMessage(message: Message, options?: CallOptions): Promise<SentMessage>;
  sendGroupMessage(message: GroupMessage, options?: CallOptions): Promise<SentMessage>;
};

/** The result of handling an event; `busy` and `failed` request redelivery. */
export type Outcome = 'handled' | 'done' | 'busy' | 'failed' | 'givenUp';

/** An outcome, with the error if it failed. */
export interface Result {
  outcome: Outcome;
  error?: unknown;
}

/** Dispatches events from webhooks or the feed: each is handled once, and again if handling failed. */
export class EventDispatcher<State extends object> {
  readonly #client: Client;
  readonly #store: EventStore;
  readonly #questions: Questions;
  readonly #composer: Composer<State>;
  readonly report: (error: unknown) => void;
  readonly #profiles: ProfileCache;
  readonly #handlers = new Map<string, ((data: object) => unknown)[]>();
  #onFailure: FailureHandler<State>;
  #me: Promise<Me> | undefined;

  constructor(client: Client, { store, composer, questions, onError, now }: EventDispatcherParts<State>) {
    this.#client = client;
    this.#store = store;
    this.#composer = composer;
    this.#questions = questions;
    this.report = onError;
    this.#profiles = new ProfileCache((userId) => client.getProfile(userId), now);
    this.#onFailure = ({ error }) => onError(error);
  }

  catch(handler: FailureHandler<State>): void {
    this.#onFailure = handler;
  }

  /** A bot's id never changes. */
  readonly #username = async (): Promise<string | undefined> => {
    this.#me ??= this.#client.getMe();
    try {
      return (await this.#me).username;
    } catch (error) {
      this.#me = undefined;
      throw error;
    }
  };

  onEvent<T extends ChosenEvent['type']>(type: T, handler: EventHandler<T>): void {
    if (!CHOSEN_EVENTS.includes(type))
      throw new TypeError(`there is no event ${type} to choose: there are ${CHOSEN_EVENTS.join(', ')}`);
    requireHandler(handler);
    const handlers = this.#handlers.get(type) ?? [];
    this.#handlers.set(type, [...handlers, handler as (data: object) => unknown]);
  }

  /** Never rejects: errors are reported. Other events, such as a ping, need no handling. */
  async take(event: ReceivedEvent, attempt: Attempt = {}): Promise<Result> {
    if (event.type === 'message.received' || event.type === 'group_message.received') {
      if (this.#composer.isEmpty && this.#handlers.size === 0)
        this.report(new Error('a message came, and the bot has no handler: add one, such as bot.on()'));
      const message = this.#open(event);
      let answer: Promise<FoundAnswer | undefined> | undefined;
      const findAnswer = () => (answer ??= this.#questions.findAnswer(message));
      return this.#once(event.data.msgId, attempt, {
        handle: () => this.#composer.handle(message, { username: this.#username, findAnswer }),
        // A reply of a handler that runs again has another key than that about its failure.
        fail: (failure) =>
          this.#onFailure({ message: { ...this.#open(event, 'failure'), state: message.state }, ...failure }),
      });
    }
    const handlers = this.#handlers.get(event.type) ?? [];
    if (event.type === 'ping' || handlers.length === 0) return { outcome: 'handled' };
    return this.#once(event.data.eventId, attempt, {
      handle: async () => {
        for (const handler of handlers) await handler(event.data);
      },
      fail: ({ error }) => this.report(error),
    });
  }

  async #once(id: string, attempt: Attempt, { handle, fail }: Work): Promise<Result> {
    try {
      const claim = await this.#store.claim(id);
      if (claim !== 'claimed') return { outcome: claim };
      try {
        await handle();
      } catch (error) {
        await this.#store.release(id);
        return { outcome: await this.#settle({ error, ...attempt }, fail), error };
      }
      await this.#store.done(id);
      return { outcome: 'handled' };
    } catch (error) {
      this.report(error);
      return { outcome: 'failed', error };
    }
  }

  /** While polling, what the service refuses for good is not tried again; the attempts of webhooks are the service's. */
  async #settle(failure: Fault, fail: Work['fail']): Promise<Outcome> {
    const { error, attempt } = failure;
    const isGivenUp = error instanceof GiveUp || (attempt !== undefined && isPermanent(error));
    try {
      await fail(isGivenUp ? { ...failure, isLast: true } : failure);
    } catch (thrown) {
      this.report(thrown);
    }
    return isGivenUp ? 'givenUp' : 'failed';
  }

  #open(event: MessageReceivedEvent | GroupMessageReceivedEvent, keyName?: string): AnyMessage<State> {
    const isInGroup = event.type === 'group_message.received';
    const conversationId = conversationOf(event.data);
    const calls: MessageCalls = {
      send: (content, idempotencyKey) =>
        isInGroup
          ? this.#client.sendGroupMessage({ groupId: conversationId, ...content }, { idempotencyKey })
          : this.#client.sendMessage({ to: conversationId, ...content }, { idempotencyKey }),
      // Like a draft, it is not worth waiting for: the reply will tell what is wrong.
      typing: () => this.#client.sendTyping({ conversationId }, { isFleeting: true }).catch(() => undefined),
      showDraft: (content, keepIfLost) =>
        this.#client.showDraft(
          { conversationId, content, replyToMsgId: event.data.msgId, keepIfLost },
          { isFleeting: true },
        ),
      edit: (msgId, change) => this.#client.editMessage({ msgId, conversationId, ...change }),
      delete: async (msgId) => {
        await this.#client.deleteMessage({ msgId, conversationId }).catch(ignoreNotFound);
        await this.#questions.withdraw(event.data, msgId);
      },
      react: (msgId, emoji) => this.#client.reactToMessage({ msgId, conversationId, emoji }),
      findProfile: (userId) => this.#profiles.find(userId),
      get: (msgId) => this.#client.getMessage({ msgId, conversationId }),
    };
    return withCalls(event.data, calls, keyName) as AnyMessage<State>;
  }
}

/** The dependencies of a dispatcher. */
export interface EventDispatcherParts<State extends object> {
  store: EventStore;
  composer: Composer<State>;
  questions: Questions;
  onError: (error: unknown) => void;
  /** The time in epoch milliseconds. */
  now: () => number;
}

/**
 * Whether an error is an answer of the service that would be the same again, such as 400, 403 or 404. A new key, a quota and an
 * outage change the answer.
 */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof ParleyError && isFromService(error))) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429;
}
