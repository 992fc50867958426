import { ParleyError } from './error.ts';
import type { EventDispatcher } from './event-dispatcher.ts';
import { findError } from './read-answer.ts';
import { readServerSentEvents } from './server-sent-events.ts';
import type { Service } from './service.ts';
import type { ReceivedEvent } from './wire.ts';

/** Where polling begins, and what remembers how far it came. */
export interface PollOptions {
  /** Ends the polling. */
  signal?: AbortSignal;
  /** Where to begin; when left out, with the oldest event that the service keeps. */
  after?: string;
  /** Remembers how far the bot came, from one start to the next. */
  cursor?: CursorStore;
}

/** Keeps the place in the feed behind the last event that was handled. */
export interface CursorStore {
  read(): Promise<string | undefined>;
  write(cursor: string): Promise<void>;
}

/** Number of tries of a handler before its event is abandoned, as with webhooks (contract §3). */
const TRIES_PER_EVENT = 8;
const LONGEST_WAIT_MS = 60_000;
/** The service sends a sign of life more often. */
const SILENCE_MS = 90_000;

export async function pollEvents(
  service: Service,
  authorization: string,
  desk: EventDispatcher,
  { signal, after, cursor }: PollOptions,
): Promise<void> {
  let place = after ?? (await cursor?.read()) ?? '0';
  let failures = 0;
  while (!signal?.aborted) {
    let askedMs = 0;
    try {
      for await (const { id, data } of openStream(service, authorization, place, signal)) {
        failures = 0;
        await handle(service, desk, JSON.parse(data) as ReceivedEvent, signal);
        place = id;
        await cursor?.write(place);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
      askedMs = error instanceof ParleyError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    }
    const waitMs = Math.max(Math.min(1000 * 2 ** failures++, LONGEST_WAIT_MS), askedMs);
    await service.sleep(waitMs, signal).catch(() => undefined);
  }
}

/** The service refuses the bot or its cursor; outages and quotas pass. */
function isFinal(error: unknown): boolean {
  return error instanceof ParleyError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

async function* openStream(
  service: Service,
  authorization: string,
  place: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ id: string; data: string }> {
  const response = await service.open({
    method: 'GET',
    path: `/v1/events?after=${place}`,
    headers: { accept: 'text/event-stream', authorization },
    signal,
  });
  if (!response.ok || !response.body) throw findError(response, await response.text());
  for await (const { id, data } of readServerSentEvents(response.body, SILENCE_MS)) {
    if (id !== undefined) yield { id, data };
  }
}

/** Order is kept: the next event waits until this one was handled, or was tried often enough. */
async function handle(
  service: Service,
  desk: EventDispatcher,
  event: ReceivedEvent,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const outcome = await desk.take(event);
    if (outcome === 'handled' || outcome === 'done' || tries === TRIES_PER_EVENT) return;
    await service.sleep(Math.min(1000 * 2 ** (tries - 1), LONGEST_WAIT_MS), signal);
  }
}
