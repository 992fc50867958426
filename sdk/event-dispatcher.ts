import type { EventStore } from './event-store.ts';
import { type IncomingGroupMessage, type IncomingMessage, withReply } from './incoming.ts';
import type { CallOptions } from './service.ts';
import type { GroupMessage, Message, PingEvent, ReceivedEvent, SentMessage } from './wire.ts';

/** Events that a bot may listen to. */
export interface Handlers {
  message: (message: IncomingMessage) => unknown;
  groupMessage: (message: IncomingGroupMessage) => unknown;
}

/** The client that sends replies. */
interface Sender {
  sendMessage(message: Message, options?: CallOptions): Promise<SentMessage>;
  sendGroupMessage(message: GroupMessage, options?: CallOptions): Promise<SentMessage>;
}

/** The result of handling an event; `busy` and `failed` ask for it again. */
export type Outcome = 'handled' | 'done' | 'busy' | 'failed';

/** Where events arrive, by webhook or feed: each is handled once, and again when its handling failed. */
export class EventDispatcher {
  readonly #sender: Sender;
  readonly #store: EventStore;
  readonly #onError: (error: unknown) => void;
  readonly #handlers: { [K in keyof Handlers]: Handlers[K][] } = { message: [], groupMessage: [] };

  constructor(sender: Sender, store: EventStore, onError: (error: unknown) => void) {
    this.#sender = sender;
    this.#store = store;
    this.#onError = onError;
  }

  on<K extends keyof Handlers>(kind: K, handler: Handlers[K]): void {
    this.#handlers[kind].push(handler);
  }

  report(error: unknown): void {
    this.#onError(error);
  }

  /** Never rejects: what went wrong is reported. An event of another kind, such as a ping, needs nothing. */
  async take(event: ReceivedEvent | PingEvent): Promise<Outcome> {
    if (event.type !== 'message.received' && event.type !== 'group_message.received') return 'handled';
    const { msgId } = event.data;
    try {
      const claim = await this.#store.claim(msgId);
      if (claim !== 'claimed') return claim;
      try {
        await this.#handle(event);
      } catch (error) {
        await this.#store.release(msgId);
        throw error;
      }
      await this.#store.done(msgId);
      return 'handled';
    } catch (error) {
      this.#onError(error);
      return 'failed';
    }
  }

  async #handle(event: ReceivedEvent): Promise<void> {
    if (event.type === 'message.received') {
      const to = event.data.chatId;
      const message = withReply(event.data, (content, idempotencyKey) =>
        this.#sender.sendMessage({ to, ...content }, { idempotencyKey }),
      );
      for (const handle of this.#handlers.message) await handle(message);
    } else {
      const { groupId } = event.data;
      const message = withReply(event.data, (content, idempotencyKey) =>
        this.#sender.sendGroupMessage({ groupId, ...content }, { idempotencyKey }),
      );
      for (const handle of this.#handlers.groupMessage) await handle(message);
    }
  }
}
