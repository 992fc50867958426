import type { FastifyReply } from 'fastify';
import type { LoggedEvent } from '#contract/webhooks.ts';
import { findLatestRequests } from '#features/applications/monitoring/api-log.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { isUnavailable } from '#platform/database.ts';
import { resourceExhausted } from '#platform/errors.ts';
import { type EventStream, openEventStream } from '#platform/http/event-stream.ts';
import type { Platform } from '#platform/platform.ts';
import { Bell } from './bell.ts';
import { findLatestEvents } from './event-log.ts';

/** How late it is seen at most what nobody told this process of: attempts, and what other processes write. */
const LOOK_EVERY_MS = 1_000;
/** However fast things happen. */
const LOOK_SOON_MS = 200;
const WINDOW = 100;
/** Open streams of one application in one process. */
const MAX_STREAMS = 10;

export type TailDeps = Pick<Platform, 'db' | 'live' | 'log'> & {
  recorder: Pick<RequestRecorder, 'flushLog'>;
};

export interface TailReader {
  appId: string;
  /** Whether the reader may still see it; asked before anything is sent. */
  isAllowed: () => Promise<boolean>;
  /** Somebody whose live events go along: the test person's, in the simulator. */
  alsoOf?: string;
}

/** The streams of the console through this process: what happens to an application, while somebody looks on. */
export class LiveTails {
  readonly #deps: TailDeps;
  readonly #open = new Map<string, number>();

  constructor(deps: TailDeps) {
    this.#deps = deps;
  }

  /**
   * Sends `ready`, then what happens from now on. Nothing is kept for a reader that is away: at each `ready` it reads its
   * lists again. Resolves when the stream has ended.
   *
   * @throws ApiError 429 when too many are open, before the stream begins
   */
  async stream(reply: FastifyReply, reader: TailReader): Promise<void> {
    const { appId } = reader;
    const count = this.#open.get(appId) ?? 0;
    if (count >= MAX_STREAMS) throw resourceExhausted(`there are ${count} open live streams already`);
    this.#open.set(appId, count + 1);
    try {
      await tail(this.#deps, reply, reader);
    } finally {
      const left = (this.#open.get(appId) ?? 1) - 1;
      if (left > 0) this.#open.set(appId, left);
      else this.#open.delete(appId);
    }
  }
}

async function tail(
  deps: TailDeps,
  reply: FastifyReply,
  { appId, isAllowed, alsoOf }: TailReader,
): Promise<void> {
  const bell = new Bell();
  const window = new Window(deps, appId);
  await using follows = new AsyncDisposableStack();
  follows.defer(deps.live.subscribe(appId, () => bell.ring()));
  let stream: EventStream | undefined;
  if (alsoOf !== undefined) {
    follows.defer(
      deps.live.subscribe(alsoOf, (event) => {
        stream?.send(event.type === 'missed' ? READY : event);
        bell.ring();
      }),
    );
  }
  await window.look();
  // Whoever hung up meanwhile would never be noticed as gone.
  if (reply.raw.destroyed) return;
  let isOpen = true;
  const onClose = () => {
    isOpen = false;
    bell.ring();
  };
  stream = openEventStream(reply, { onClose, isAllowed });
  stream.send(READY);
  while (isOpen) {
    await bell.wait(LOOK_EVERY_MS);
    if (!isOpen) return;
    try {
      const news = await window.look();
      if (news.length > 0 && !(await isAllowed())) return stream.close();
      for (const event of news) stream.send(event);
    } catch (error) {
      if (!isUnavailable(error)) {
        deps.log.error({ err: error, appId }, 'a live stream ended because of a fault');
        return stream.close();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_SOON_MS));
  }
}

const READY = { type: 'ready', data: {} };

/** The latest events and requests as they were seen last: so much is remembered, and no more. */
class Window {
  readonly #deps: TailDeps;
  readonly #appId: string;
  #events = new Map<string, string>();
  #requests = new Set<string>();

  constructor(deps: TailDeps, appId: string) {
    this.#deps = deps;
    this.#appId = appId;
  }

  /** What is new or has changed since the last look, the oldest first. */
  async look(): Promise<{ type: 'event' | 'request'; data: object }[]> {
    const { db, recorder } = this.#deps;
    await recorder.flushLog();
    const [events, requests] = await Promise.all([
      findLatestEvents(db, this.#appId, WINDOW),
      findLatestRequests(db, this.#appId, { limit: WINDOW }),
    ]);
    const changed = events.filter((event) => this.#events.get(event.eventId) !== signatureOf(event));
    const fresh = requests.filter(({ requestId }) => !this.#requests.has(requestId));
    this.#events = new Map(events.map((event) => [event.eventId, signatureOf(event)]));
    this.#requests = new Set(requests.map(({ requestId }) => requestId));
    return [
      ...fresh.reverse().map((data) => ({ type: 'request' as const, data })),
      ...changed.reverse().map((data) => ({ type: 'event' as const, data })),
    ];
  }
}

function signatureOf({ state, attempts, nextAttemptAt, replayedAt }: LoggedEvent): string {
  return `${state} ${attempts} ${nextAttemptAt} ${replayedAt}`;
}
