import { useSyncExternalStore } from 'react';
import type { ChatEvent } from '#contract/live-events.ts';
import { withQuery } from '../../ui/api.ts';
import { followStream, type StreamHandlers } from '../../ui/session/event-stream.ts';
import type { LiveState } from '../../ui/session/live.ts';
import { Watchers } from '../../ui/watchers.ts';

/** The prefix of every query that events keep up to date; see frame/follow.ts. */
export const chatKey = ['chat'] as const;

/** How long the first load waits for the stream, so that no event after the response is missed. */
const OPENING_MS = 2_000;
const REMEMBERED = 1_000;

type Ending = Pick<StreamHandlers, 'onSignedOut' | 'signal'>;

/** The live stream, one for the whole page. */
class Feed {
  state: LiveState = 'connecting';
  #cursor: string | undefined;
  /** The latest events, for {@link Feed.read}; `#count` counts all events so far. */
  #latest: ChatEvent[] = [];
  #count = 0;
  #opened = Promise.withResolvers<void>();
  readonly #watchers = new Watchers();
  #onEvent: (event: ChatEvent) => void = () => {};

  /** Follows the stream until `signal` aborts; `onSignedOut` is called when the session ends. */
  start({ onEvent, ...ending }: { onEvent: (event: ChatEvent) => void } & Ending): void {
    this.#onEvent = onEvent;
    this.#cursor = undefined;
    this.#opened = Promise.withResolvers();
    void followStream({
      path: () => withQuery('/api/chat/live', { after: this.#cursor }),
      onEvent: ({ id, type, data }) => {
        if (data !== undefined) this.#receive({ type, data: JSON.parse(data) } as ChatEvent);
        if (id !== undefined) this.#cursor = id;
      },
      onLost: () => this.#setState('lost'),
      ...ending,
    });
  }

  readonly subscribe = this.#watchers.subscribe;

  /**
   * Loads data that events change: events that arrive before the response are applied to it, so that an older state never
   * overwrites a newer one. If the stream missed events meanwhile, or `apply` returns `undefined` because the result is
   * unclear, it is loaded again.
   */
  async read<T>(ask: () => Promise<T>, apply: (data: T, event: ChatEvent) => T | undefined): Promise<T> {
    await Promise.race([this.#opened.promise, delay(OPENING_MS)]);
    for (;;) {
      const before = this.#count;
      const data = await ask();
      const missed = this.#count - before;
      const events = missed === 0 ? [] : this.#latest.slice(-missed);
      const applied = events.reduce<T | undefined>(
        (now, event) => (now === undefined || isGap(event) ? undefined : apply(now, event)),
        data,
      );
      if (applied !== undefined) return applied;
    }
  }

  /** Applies what the page has learned otherwise to what is being loaded. */
  note(event: ChatEvent): void {
    this.#count++;
    this.#latest.push(event);
    if (this.#latest.length > REMEMBERED) this.#latest.shift();
  }

  #receive(event: ChatEvent): void {
    this.note(event);
    if (event.type === 'ready') {
      this.#opened.resolve();
      this.#setState('open');
    }
    this.#onEvent(event);
  }

  #setState(state: LiveState): void {
    this.state = state;
    this.#watchers.tell();
  }
}

export const feed = new Feed();

/** The same query, of data that events have read again: a change during its first read is not missed, see {@link Feed.read}. */
export function live<Query extends { queryFn?: (context: never) => unknown }>(query: Query): Query {
  const { queryFn } = query;
  if (!queryFn) return query;
  return {
    ...query,
    queryFn: (context: never) =>
      feed.read(
        async () => queryFn(context),
        (data) => data,
      ),
  };
}

export function useFeedState(): LiveState {
  return useSyncExternalStore(feed.subscribe, () => feed.state);
}

/** Whether events before it were missed. */
function isGap(event: ChatEvent): boolean {
  return event.type === 'ready' && !event.data.resumed;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
