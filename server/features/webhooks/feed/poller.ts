import { Loop } from '#platform/loop.ts';
import type { WebhookDeps } from '../deps.ts';
import { findLastPositions, findWithUnpositioned } from './queries.ts';

/** The maximum delay for events that were not published to this process. */
const LOOK_EVERY_MS = 5_000;
const FEEDS_PER_STATEMENT = 500;

export interface WatchedFeed {
  readonly appId: string;
  /** The position of the last event that was sent. */
  readonly after: number;
  /** Whether it is waiting; a stream that is sending looks for more events itself. */
  readonly isWaiting: boolean;
  request(): void;
}

/**
 * Looks for events that were not published to this process, for all open streams in one statement instead of
 * one per stream. Runs while there is a stream.
 */
export class FeedPoller implements AsyncDisposable {
  readonly #deps: WebhookDeps;
  readonly #feeds = new Set<WatchedFeed>();
  #polling: Loop | undefined;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  /** Returns the function that ends it. */
  watch(feed: WatchedFeed): () => void {
    this.#feeds.add(feed);
    const options = { name: 'event-feeds', everyMs: LOOK_EVERY_MS, isDelayed: true };
    this.#polling ??= new Loop(this.#deps, options, () => this.look());
    return () => {
      this.#feeds.delete(feed);
      if (this.#feeds.size > 0) return;
      void this.#polling?.[Symbol.asyncDispose]();
      this.#polling = undefined;
    };
  }

  /** Wakes up the streams that have new events. */
  async look(): Promise<void> {
    const { db } = this.#deps;
    const waiting = [...this.#feeds].filter(({ isWaiting }) => isWaiting);
    const byApp = Map.groupBy(waiting, ({ appId }) => appId);
    const appIds = [...byApp.keys()];
    for (let from = 0; from < appIds.length; from += FEEDS_PER_STATEMENT) {
      const some = appIds.slice(from, from + FEEDS_PER_STATEMENT);
      // In this order, because an event without a position may have been assigned one in between.
      const unpositioned = await findWithUnpositioned(db, some);
      const lastPositions = await findLastPositions(db, some);
      for (const appId of some) {
        const last = lastPositions.get(appId) ?? 0;
        for (const feed of byApp.get(appId) ?? [])
          if (unpositioned.has(appId) || feed.after < last) feed.request();
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#polling?.[Symbol.asyncDispose]();
  }
}
