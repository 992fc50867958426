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

export interface FeedReader {
  appId: string;
  /** Missing: only new events. */
  after: number | undefined;
  /** Whether the credential is still valid; checked before anything is sent. */
  isAllowed: () => Promise<boolean>;
}

/** The streams of events through this process. */
export class FeedStreams {
  readonly #deps: WebhookDeps;
  readonly #open = new OpenStreams('http.too-many-streams', MAX_STREAMS);
  readonly #poller: FeedPoller;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
    this.#poller = new FeedPoller(deps);
  }

  /**
   * Begins to send an application's events as they happen, each with its cursor as the id, which clients return
   * in `Last-Event-ID`.
   *
   * @throws ApiError 429 when too many are open, 400 for a cursor that was never issued; before the stream
   * begins
   */
  async begin(reply: FastifyReply, { appId, after, isAllowed }: FeedReader): Promise<void> {
    using held = new DisposableStack();
    held.defer(this.#open.take(appId));
    const wakeUp = new WakeUp();
    held.defer(this.#deps.live.subscribe(appId, () => wakeUp.request()));
    const start = after ?? (await findEndOfFeed(this.#deps, appId));
    await readFeed(this.#deps, appId, { after: start, limit: 1 });
    // Otherwise a client that disconnected meanwhile would never be noticed.
    if (reply.raw.destroyed) return void reply.send();
    const kept = held.move();
    const feed = new FeedStream(this.#deps, { appId, isAllowed, wakeUp, after: start, held: kept });
    kept.defer(this.#poller.watch(feed));
    void feed.run(openEventStream(reply, feed));
  }
}

/** One stream. It may stay open for days, so it keeps no reference to its request. */
class FeedStream implements StreamOwner, WatchedFeed {
  readonly #deps: WebhookDeps;
  readonly #wakeUp: WakeUp;
  readonly #held: DisposableStack;
  #isOpen = true;
  isWaiting = false;
  readonly appId: string;
  readonly isAllowed: () => Promise<boolean>;
  after: number;

  constructor(
    deps: WebhookDeps,
    {
      appId,
      isAllowed,
      after,
      wakeUp,
      held,
    }: Required<FeedReader> & { after: number; wakeUp: WakeUp; held: DisposableStack },
  ) {
    this.#deps = deps;
    this.#wakeUp = wakeUp;
    this.#held = held;
    this.appId = appId;
    this.isAllowed = isAllowed;
    this.after = after;
  }

  request(): void {
    this.#wakeUp.request();
  }

  onClose(): void {
    this.#isOpen = false;
    this.#wakeUp.request();
    this.#held.dispose();
  }

  async run(stream: EventStream): Promise<void> {
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
