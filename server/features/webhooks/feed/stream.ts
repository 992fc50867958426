import type { FastifyReply } from 'fastify';
import { WakeUp } from '#platform/concurrency/wake-up.ts';
import { isUnavailable } from '#platform/database.ts';
import {
  type EventStream,
  openEventStream,
  type StreamOwner,
} from '#platform/http/connections/event-stream.ts';
import { OpenStreams } from '#platform/http/connections/open-streams.ts';
import { Loop } from '#platform/loop.ts';
import type { WebhookDeps } from '../deps.ts';
import { findEndOfFeed, markFetched, readFeed } from './event-feed.ts';
import { findLastPositions, findWithUnpositioned } from './queries.ts';

/** The maximum delay for events that were not published to this process. */
const LOOK_EVERY_MS = 5_000;
const FEEDS_PER_STATEMENT = 500;

interface WatchedFeed {
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

const PAGE_SIZE = 100;
/** The wait before reading again if the next event was locked. */
const LOOK_SOON_MS = 100;
const LOOK_AGAIN_MS = 5_000;
/** Per application: a developer's machine, a server or two, and closing connections. */
const MAX_STREAMS = 10;

interface FeedReader {
  appId: string;
  /** Missing: only new events. */
  after: number | undefined;
  /** Whether the credential is still valid; checked before anything is sent. */
  isAllowed: () => Promise<boolean>;
}

/**
 * The streams of events through this process: each event as it happens, with its cursor as the id, which clients return in
 * `Last-Event-ID`.
 *
 * @returns what begins one, or throws ApiError 429 when too many are open, 400 for a cursor that was never issued, before
 * the stream begins
 */
export function createFeedStreams(deps: WebhookDeps) {
  const open = new OpenStreams('http.too-many-streams', MAX_STREAMS);
  const poller = new FeedPoller(deps);
  return async (reply: FastifyReply, { appId, after, isAllowed }: FeedReader): Promise<void> => {
    using held = new DisposableStack();
    held.defer(open.take(appId));
    const feed = new FeedStream(deps, appId, isAllowed);
    held.defer(deps.live.subscribe(appId, () => feed.request()));
    feed.after = after ?? (await findEndOfFeed(deps, appId));
    await readFeed(deps, appId, { after: feed.after, limit: 1 });
    // Otherwise a client that disconnected meanwhile would never be noticed.
    if (reply.raw.destroyed) return void reply.send();
    held.defer(poller.watch(feed));
    void feed.run(openEventStream(reply, feed), held.move());
  };
}

/** One stream. It may stay open for days, so it keeps no reference to its request. */
class FeedStream implements StreamOwner, WatchedFeed {
  readonly #deps: WebhookDeps;
  readonly #wakeUp = new WakeUp();
  #isOpen = true;
  isWaiting = false;
  after = 0;
  readonly appId: string;
  readonly isAllowed: () => Promise<boolean>;

  constructor(deps: WebhookDeps, appId: string, isAllowed: () => Promise<boolean>) {
    this.#deps = deps;
    this.appId = appId;
    this.isAllowed = isAllowed;
  }

  request(): void {
    this.#wakeUp.request();
  }

  onClose(): void {
    this.#isOpen = false;
    this.request();
  }

  async run(stream: EventStream, held: DisposableStack): Promise<void> {
    using _ = held;
    stream.mark(String(this.after));
    while (this.#isOpen) {
      const step = await this.#takeStep(stream);
      if (step === 'ended') return stream.close();
      if (!this.#isOpen || step.hasMore) continue;
      this.isWaiting = true;
      await this.#wakeUp.wait(step.waitMs);
      this.isWaiting = false;
    }
  }

  /** Waits for an unavailable database. */
  async #takeStep(stream: EventStream): Promise<{ hasMore: boolean; waitMs?: number } | 'ended'> {
    const { appId } = this;
    try {
      const { events, end, hasMore, isBehind } = await readFeed(this.#deps, appId, {
        after: this.after,
        limit: PAGE_SIZE,
      });
      if (!(await this.isAllowed())) return 'ended';
      for (const { position, type, body } of events) {
        // A slow reader may take long for a page; the wake-up may mean that the key was revoked.
        if (this.#wakeUp.isRequested && !(await this.isAllowed())) return 'ended';
        await stream.sendText({ type, text: body.toString(), id: String(position) });
        this.after = position;
      }
      this.after = end;
      if (events.length > 0) await markFetched(this.#deps, appId, end);
      return { hasMore, ...(isBehind && { waitMs: LOOK_SOON_MS }) };
    } catch (error) {
      if (isUnavailable(error)) return { hasMore: false, waitMs: LOOK_AGAIN_MS };
      this.#deps.log.error({ err: error, appId }, 'an event stream ended because of a fault');
      return 'ended';
    }
  }
}
