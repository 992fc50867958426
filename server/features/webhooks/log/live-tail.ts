import type { FastifyReply } from 'fastify';
import type { LogEvent } from '#contract/live-events.ts';
import type { LoggedEvent } from '#contract/webhooks.ts';
import { openSessionOf, type Person } from '#features/accounts/index.ts';
import type { Owned } from '#features/applications/index.ts';
import { WakeUp } from '#platform/concurrency/wake-up.ts';
import { isUnavailable } from '#platform/database.ts';
import {
  type EventStream,
  openEventStream,
  type StreamOwner,
} from '#platform/http/connections/event-stream.ts';
import { OpenStreams } from '#platform/http/connections/open-streams.ts';
import { isGap, type LiveEvent } from '#platform/live.ts';
import type { WebhookDeps } from '../deps.ts';
import { findLatestEvents } from './event-log.ts';

/**
 * The maximum delay for changes that are not published to this process: attempts, and writes of other
 * processes.
 */
const LOOK_EVERY_MS = 1_000;
/** The minimum interval, however fast things happen. */
const LOOK_SOON_MS = 200;
const WINDOW = 100;
/** Of one application: its owner's tabs. */
const MAX_STREAMS = 10;

export interface TailReader {
  person: Person;
  own: Owned;
  /** An account whose live events are included: the test person's, in the simulator. */
  alsoOf?: string;
}

/**
 * The console's streams through this process: the events and requests of an application, while a page is open. Each sends
 * `ready`, then everything new. Nothing is kept for a disconnected page: it reloads its lists at each `ready`.
 *
 * @returns what begins one, or throws ApiError 404, or 429 when too many are open, before the stream begins
 */
export function createLiveTails(deps: WebhookDeps) {
  const { applications, live } = deps;
  const open = new OpenStreams('http.too-many-live-streams', MAX_STREAMS);
  return async (reply: FastifyReply, { person, own, alsoOf }: TailReader): Promise<void> => {
    const { appId } = await applications.requireOwn(own);
    using held = new DisposableStack();
    held.defer(open.take(appId));
    const tail = new LiveTail(deps, appId, mayFollow(deps, person, own));
    held.defer(
      live.subscribe(appId, (event) => {
        tail.follow(event);
        tail.request();
      }),
    );
    held.defer(live.subscribe(person.accountId, (event) => tail.follow(event)));
    if (alsoOf !== undefined) held.defer(live.subscribe(alsoOf, (event) => tail.tell(event)));
    await tail.look();
    // Otherwise a client that disconnected meanwhile would never be noticed.
    if (reply.raw.destroyed) return void reply.send();
    void tail.run(openEventStream(reply, tail), held.move());
  };
}

/** Whether the session is valid, and the application still the person's own. */
function mayFollow({ accounts, applications }: WebhookDeps, person: Person, own: Owned) {
  const session = openSessionOf(person);
  return async () =>
    (await accounts.isSessionOpen(session)) && (await applications.findOwn(own)) !== undefined;
}

/** One stream. It may stay open for days, so it keeps no reference to its request. */
class LiveTail implements StreamOwner {
  readonly #deps: WebhookDeps;
  readonly #appId: string;
  readonly #wakeUp = new WakeUp();
  readonly look: () => Promise<LogEvent[]>;
  #stream: EventStream | undefined;
  #isOpen = true;
  /** Also checked before anything is sent. */
  readonly isAllowed: () => Promise<boolean>;

  constructor(deps: WebhookDeps, appId: string, isAllowed: () => Promise<boolean>) {
    this.#deps = deps;
    this.#appId = appId;
    this.look = openWindow(deps, appId);
    this.isAllowed = isAllowed;
  }

  request(): void {
    this.#wakeUp.request();
  }

  /** The session may have ended, or the access to the application. */
  follow(event: LiveEvent): void {
    const { type } = event;
    if (type === 'session.ended' || type === 'credential.revoked' || isGap(event)) void this.#stream?.check();
  }

  tell(event: LiveEvent): void {
    this.#stream?.send(isGap(event) ? READY : event);
    this.request();
  }

  onClose(): void {
    this.#isOpen = false;
    this.request();
  }

  async run(stream: EventStream, held: DisposableStack): Promise<void> {
    using _ = held;
    this.#stream = stream;
    stream.send(READY);
    // The session may have ended between its check and the subscription.
    await stream.check();
    while (this.#isOpen) {
      await this.#wakeUp.wait(LOOK_EVERY_MS);
      if (!this.#isOpen) return;
      try {
        const news = await this.look();
        if (news.length > 0 && !(await this.isAllowed())) return stream.close();
        for (const event of news) stream.send(event);
      } catch (error) {
        if (!isUnavailable(error)) {
          this.#deps.log.error({ err: error, appId: this.#appId }, 'a live stream ended because of a fault');
          return stream.close();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_SOON_MS));
    }
  }
}

const READY: LogEvent = { type: 'ready', data: {} };

/** Keeps the latest events and requests; returns what reads everything new or changed since the last time, the oldest first. */
function openWindow({ db, applications }: WebhookDeps, appId: string): () => Promise<LogEvent[]> {
  let known = new Map<string, string>();
  let requestIds = new Set<string>();
  return async () => {
    await applications.recorder.flushLog();
    const [events, requests] = await Promise.all([
      findLatestEvents(db, appId, WINDOW),
      applications.findLatestRequests(appId, { limit: WINDOW }),
    ]);
    const changed = events.filter((event) => known.get(event.eventId) !== signatureOf(event));
    const fresh = requests.filter(({ requestId }) => !requestIds.has(requestId));
    known = new Map(events.map((event) => [event.eventId, signatureOf(event)]));
    requestIds = new Set(requests.map(({ requestId }) => requestId));
    return [
      ...fresh.reverse().map((data) => ({ type: 'request' as const, data })),
      ...changed.reverse().map((data) => ({ type: 'event' as const, data })),
    ];
  };
}

function signatureOf({ state, attempts, nextAttemptAt, replayedAt }: LoggedEvent): string {
  return `${state} ${attempts} ${nextAttemptAt} ${replayedAt}`;
}
