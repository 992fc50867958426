import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useSyncExternalStore } from 'react';
import { withQuery } from '../../ui/api.ts';
import type { LiveEvent } from './events.ts';

/** The key of every query that events keep true; see frame/follow.ts. */
export const chatKey = ['chat'] as const;

export type FeedState = 'connecting' | 'open' | 'lost';

/** The server says something every 20 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
/** How long the first reading waits for the stream: whatever happens after it opened is then heard. */
const OPENING_MS = 2_000;
const REMEMBERED = 1_000;

/**
 * The one stream of what happens, for the whole page. It is read by `fetch`, since an `EventSource` hides the signs of
 * life by which a dead connection is known.
 */
class Feed {
  state: FeedState = 'connecting';
  #cursor: string | undefined;
  /** The latest events, for {@link Feed.read}; `#told` counts all there were. */
  #latest: LiveEvent[] = [];
  #told = 0;
  #opened = Promise.withResolvers<void>();
  readonly #watchers = new Set<() => void>();
  #hear: (event: LiveEvent) => void = () => {};

  /** Listens until `signal` says stop; `onSignedOut` hears that the session is over. */
  start({
    hear,
    onSignedOut,
    signal,
  }: {
    hear: (event: LiveEvent) => void;
    onSignedOut: () => void;
    signal: AbortSignal;
  }): void {
    this.#hear = hear;
    this.#cursor = undefined;
    this.#opened = Promise.withResolvers();
    void this.#listen(onSignedOut, signal);
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /**
   * Reads something that events change: what is told while the answer is on its way is put into the answer, so that an
   * older state never covers a newer one. An answer that may be older than what nobody was told, or that an event leaves
   * unsure (`apply` gives nothing), is asked for again.
   */
  async read<T>(ask: () => Promise<T>, apply: (data: T, event: LiveEvent) => T | undefined): Promise<T> {
    await Promise.race([this.#opened.promise, delay(OPENING_MS)]);
    for (;;) {
      const told = this.#told;
      const data = await ask();
      const missed = this.#told - told;
      const events = missed === 0 ? [] : this.#latest.slice(-missed);
      const applied = events.reduce<T | undefined>(
        (now, event) => (now === undefined || isGap(event) ? undefined : apply(now, event)),
        data,
      );
      if (applied !== undefined) return applied;
    }
  }

  async #listen(onSignedOut: () => void, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      const end = await this.#connect(signal, () => {
        failures = 0;
      }).catch(() => 'lost' as const);
      if (signal.aborted) return;
      this.#setState('lost');
      if (end === 'signed-out') return onSignedOut();
      await this.#pause(Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS), signal);
    }
  }

  async #connect(signal: AbortSignal, onOpen: () => void): Promise<'lost' | 'signed-out'> {
    const dead = new AbortController();
    const end = () => dead.abort();
    let lastHeardAt = Date.now();
    let silence = setTimeout(end, SILENCE_MS);
    const wake = () => {
      if (!document.hidden && Date.now() - lastHeardAt > SILENCE_MS / 2) end();
    };
    window.addEventListener('offline', end);
    document.addEventListener('visibilitychange', wake);
    try {
      const answer = await fetch(withQuery('/api/chat/live', { after: this.#cursor }), {
        headers: { accept: 'text/event-stream' },
        signal: AbortSignal.any([signal, dead.signal]),
      });
      if (answer.status === 401) return 'signed-out';
      if (!answer.ok || !answer.body) return 'lost';
      onOpen();
      const alive = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          lastHeardAt = Date.now();
          clearTimeout(silence);
          silence = setTimeout(end, SILENCE_MS);
          controller.enqueue(chunk);
        },
      });
      const events = answer.body
        .pipeThrough(alive)
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream());
      for (const reader = events.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) return 'lost';
        if (value.event) this.#tell({ type: value.event, data: JSON.parse(value.data) } as LiveEvent);
        if (value.id) this.#cursor = value.id;
      }
    } finally {
      clearTimeout(silence);
      window.removeEventListener('offline', end);
      document.removeEventListener('visibilitychange', wake);
    }
  }

  #tell(event: LiveEvent): void {
    this.#told++;
    this.#latest.push(event);
    if (this.#latest.length > REMEMBERED) this.#latest.shift();
    if (event.type === 'ready') {
      this.#opened.resolve();
      this.#setState('open');
    }
    this.#hear(event);
  }

  #setState(state: FeedState): void {
    this.state = state;
    for (const watcher of this.#watchers) watcher();
  }

  /** Waits, or until the browser says that there is a network again, or somebody looks. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
    window.addEventListener('online', () => resolve(), { once: true, signal });
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
  }
}

export const feed = new Feed();

export function useFeedState(): FeedState {
  return useSyncExternalStore(feed.subscribe, () => feed.state);
}

/** Nobody was told of events before it. */
function isGap(event: LiveEvent): boolean {
  return event.type === 'ready' && !event.data.resumed;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
