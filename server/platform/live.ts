import type { ConversationEvent, EventOf } from '#contract/live-events.ts';

type Empty = Record<string, never>;

/** Events that streams of this server handle and do not pass on. */
interface Signals {
  /** An application has a new event, or an attempt of one has ended. */
  'event.recorded': Empty;
  /** A credential of an application may have ended. */
  'credential.revoked': Empty;
  /** The message of an event that is not sent yet has changed, or is gone. */
  'event.revised': { eventId: string };
  /** A client of MCP no longer waits for the result of a request with this id. */
  'call.cancelled': { id: string | number };
  /** Events may have been missed: subscribers should reload, or end so that their readers reconnect. */
  missed: Empty;
  /** Something about this topic was changed without an event that says what: handled like missed events. */
  'changed-elsewhere': Empty;
}

/** Events of a topic: the id of an account, a group or an application. */
export type LiveEvent = ConversationEvent | EventOf<Signals>;

export const MISSED: LiveEvent = { type: 'missed', data: {} };
export const CHANGED_ELSEWHERE: LiveEvent = { type: 'changed-elsewhere', data: {} };

/** Whether something may have changed without an event that says what. */
export function isGap({ type }: LiveEvent): boolean {
  return type === 'missed' || type === 'changed-elsewhere';
}

/** The topic of announcements and maintenance for every process. */
export const NOTICES_TOPIC = 'notices';
/** The topic of extensions turned on or off, for every process. */
export const EXTENSIONS_TOPIC = 'extensions';
/** The topic of the workers that deliver events. */
export const DELIVERIES_TOPIC = 'deliveries';

type Listener = (event: LiveEvent) => void;

/** An event that takes long to create may be published after later ones. */
export type MakeEvent = () => LiveEvent | Promise<LiveEvent>;

/** Carries events between processes. */
export interface Relay {
  onEvent(deliver: (topic: string, event: LiveEvent) => void): void;
  /** Calls `listener` when events of other processes may have been lost. */
  onGap(listener: () => void): void;
  follow(topic: string): void;
  leave(topic: string): void;
  settled(): Promise<void>;
  publish(topic: string, make: MakeEvent): void;
}

/**
 * Publishes events to open connections, after the commit: in this process, and through the relay in the
 * others. Nothing is kept: history is in the database.
 */
export class Live {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #relay: Relay | undefined;

  constructor(relay?: Relay) {
    this.#relay = relay;
    relay?.onEvent((topic, event) => this.#deliver(topic, event));
    relay?.onGap(() => {
      for (const topic of this.#listeners.keys()) this.#deliver(topic, MISSED);
    });
  }

  isListening(topic: string): boolean {
    return this.#listeners.has(topic);
  }

  /** An expensive event is passed as a function, which is called only if there are subscribers. */
  publish(topic: string, event: LiveEvent | MakeEvent): void {
    const make = typeof event === 'function' ? event : () => event;
    if (this.isListening(topic)) whenMade(make(), (made) => this.#deliver(topic, made));
    this.#relay?.publish(topic, make);
  }

  /** Publishes only in this process, for changes that every process detects itself. */
  publishLocally(topic: string, event: LiveEvent): void {
    this.#deliver(topic, event);
  }

  /** Returns the function that ends the subscription. */
  subscribe(topic: string, listener: Listener): () => void {
    let listeners = this.#listeners.get(topic);
    if (!listeners) {
      listeners = new Set();
      this.#listeners.set(topic, listeners);
      this.#relay?.follow(topic);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(topic) !== listeners) return;
      this.#listeners.delete(topic);
      this.#relay?.leave(topic);
    };
  }

  /** Resolves once the subscriptions so far receive events of other processes, or if they currently cannot. */
  async settled(): Promise<void> {
    await this.#relay?.settled();
  }

  #deliver(topic: string, event: LiveEvent): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(event);
  }
}

/** Synchronously if possible, so that events keep their order. If one cannot be created, something has changed. */
export function whenMade(made: ReturnType<MakeEvent>, deliver: (event: LiveEvent) => void): void {
  if (made instanceof Promise) void made.then(deliver, () => deliver(CHANGED_ELSEWHERE));
  else deliver(made);
}
