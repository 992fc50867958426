import type { Platform } from '#platform/platform.ts';
import { findLastPositions, findUnplacedAmong } from './queries.ts';

/** How late it is found at most what nobody told this process of. */
const LOOK_EVERY_MS = 5_000;
const FEEDS_PER_STATEMENT = 500;

export interface WatchedFeed {
  readonly appId: string;
  /** The place of the last event that was sent. */
  readonly after: number;
  /** It waits; one that is busy sending looks for more by itself. */
  readonly isWaiting: boolean;
  request(): void;
}

/**
 * Looks for events that no process told this one of, for all open streams together: each would ask for itself otherwise,
 * however idle.
 */
export class FeedPoller implements Disposable {
  readonly #db: Platform['db'];
  readonly #feeds = new Set<WatchedFeed>();
  readonly #looking: NodeJS.Timeout;

  constructor({ db }: Pick<Platform, 'db'>) {
    this.#db = db;
    // A database that is away is asked again the next time.
    this.#looking = setInterval(() => void this.look().catch(() => {}), LOOK_EVERY_MS).unref();
  }

  /** Returns the function that ends it. */
  watch(feed: WatchedFeed): () => void {
    this.#feeds.add(feed);
    return () => this.#feeds.delete(feed);
  }

  /** Rings for those that have something to read. */
  async look(): Promise<void> {
    const waiting = [...this.#feeds].filter(({ isWaiting }) => isWaiting);
    const byApp = Map.groupBy(waiting, ({ appId }) => appId);
    const appIds = [...byApp.keys()];
    for (let from = 0; from < appIds.length; from += FEEDS_PER_STATEMENT) {
      const some = appIds.slice(from, from + FEEDS_PER_STATEMENT);
      // In this order: what had no place a moment ago may have got one since.
      const unplaced = await findUnplacedAmong(this.#db, some);
      const lastPositions = await findLastPositions(this.#db, some);
      for (const appId of some) {
        const last = lastPositions.get(appId) ?? 0;
        for (const feed of byApp.get(appId) ?? [])
          if (unplaced.has(appId) || feed.after < last) feed.request();
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looking);
  }
}
