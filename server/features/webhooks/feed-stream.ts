import type { FastifyReply } from 'fastify';
import { isUnavailable } from '#platform/database.ts';
import { type EventStream, openEventStream } from '#platform/http/event-stream.ts';
import type { Platform } from '#platform/platform.ts';
import { Bell } from './bell.ts';
import { findEndOfFeed, readFeed } from './event-feed.ts';

const PAGE_SIZE = 100;
/** How late it is found at most what nobody told this process of. */
const LOOK_EVERY_MS = 5_000;
const LOOK_SOON_MS = 100;

type Deps = Pick<Platform, 'db' | 'keyring' | 'dueDeliveries' | 'live' | 'log'>;

export interface FeedReader {
  appId: string;
  /** Missing: only what happens from now on. */
  after: number | undefined;
  /** Whether the credential is still good; asked before anything is sent. */
  isAllowed: () => Promise<boolean>;
}

/**
 * Sends an application's events as they happen, each with its cursor as the id that `Last-Event-ID` brings back.
 * Resolves when the stream has ended.
 *
 * @throws ApiError 400 for a cursor that was never given, before the stream begins
 */
export async function streamFeed(deps: Deps, reply: FastifyReply, reader: FeedReader): Promise<void> {
  const { appId, isAllowed } = reader;
  const bell = new Bell();
  const unfollow = deps.live.subscribe(appId, () => bell.ring());
  try {
    let after = reader.after ?? (await findEndOfFeed(deps, appId));
    await readFeed(deps, appId, { after, limit: 1 });
    // Whoever hung up meanwhile would never be noticed as gone.
    if (reply.raw.destroyed) return;
    let isOpen = true;
    const onClose = () => {
      isOpen = false;
      bell.ring();
    };
    const stream = openEventStream(reply, { onClose, isAllowed });
    stream.mark(String(after));
    while (isOpen) {
      const step = await takeStep(deps, stream, bell, { appId, after, isAllowed });
      if (step === 'ended') return stream.close();
      after = step.after;
      if (isOpen && !step.hasMore) await bell.wait(step.isBehind ? LOOK_SOON_MS : LOOK_EVERY_MS);
    }
  } finally {
    unfollow();
  }
}

/** A database that is away is waited for. */
async function takeStep(
  deps: Deps,
  stream: EventStream,
  bell: Bell,
  { appId, after, isAllowed }: Required<FeedReader> & { after: number },
): Promise<{ after: number; hasMore: boolean; isBehind: boolean } | 'ended'> {
  try {
    const { events, ...rest } = await readFeed(deps, appId, { after, limit: PAGE_SIZE });
    if (!(await isAllowed())) return 'ended';
    for (const { position, type, body } of events) {
      // A slow reader may take long over a page, and what rings may be that the key is revoked.
      if (bell.isRung && !(await isAllowed())) return 'ended';
      await stream.sendText({ type, text: body.toString(), id: String(position) });
    }
    return { after: events.at(-1)?.position ?? after, ...rest };
  } catch (error) {
    if (isUnavailable(error)) return { after, hasMore: false, isBehind: false };
    deps.log.error({ err: error, appId }, 'an event stream ended because of a fault');
    return 'ended';
  }
}
