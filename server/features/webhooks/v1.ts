import type { FastifyReply, FastifyRequest } from 'fastify';
import { V1 } from '#contract/api/v1.ts';
import { say } from '#contract/reasons.ts';
import { ACKNOWLEDGED, type AcknowledgeEvents, FEED_PAGE } from '#contract/webhooks/event-feed.ts';
import { CHOSEN_EVENT_TYPES, type ChosenEventType } from '#contract/webhooks/event-types.ts';
import type { Owned } from '#features/applications/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { invalidArgument } from '#platform/errors.ts';
import { readCursor } from '#platform/http/cursor.ts';
import { success } from '#platform/http/envelope.ts';
import { serve } from '#platform/http/serve.ts';
import { type AttemptEntry, viewAttempt } from './attempts/attempt-log.ts';
import { findLatestAttempts, insertAttempts } from './attempts/queries.ts';
import { selectOpenBreakers } from './breakers.ts';
import type { WebhookDeps } from './deps.ts';
import { markFetched, readFeed } from './feed/event-feed.ts';
import {
  findAtPositions,
  findBodies,
  findDeadLetters,
  findFeed,
  updateAcknowledged,
  upsertGivenUp,
} from './feed/queries.ts';
import { createFeedStreams } from './feed/stream.ts';
import { findLastAttempt } from './log/event-log.ts';
import { openBodyIfReadable } from './record-events.ts';
import { replayEventsForBot } from './tasks/replay.ts';
import { simulateEvent } from './tools/simulate.ts';

/** Where an application gets its events, and whether they arrive, for its bot. */
async function showWebhook(deps: WebhookDeps, { appId }: Pick<Owned, 'appId'>) {
  const { db, applications } = deps;
  const [[receiver], extensions, [breaker], lastAttempt] = await Promise.all([
    applications.findForDelivery([appId]),
    applications.findExtensions(appId),
    selectOpenBreakers(db, [appId]),
    findLastAttempt(db, appId),
  ]);
  return withoutAbsent({
    webhookUrl: receiver?.webhookUrl,
    events: CHOSEN_EVENT_TYPES.filter((type) => extensions.includes(type)),
    failingSince: breaker?.openedAt,
    lastAttempt,
  });
}

/** @throws ApiError 400 for a URL that is not public */
async function setWebhook(
  { applications }: WebhookDeps,
  own: Owned,
  { webhookUrl, events }: { webhookUrl?: string | null; events?: ChosenEventType[] | null },
): Promise<void> {
  if (webhookUrl === undefined && events == null)
    throw invalidArgument('body', 'needs-one-of', { fields: 'webhookUrl, events' });
  if (webhookUrl !== undefined) await applications.changeWebhookUrl(own, webhookUrl);
  if (events == null) return;
  const before = await applications.findExtensions(own.appId);
  for (const extension of CHOSEN_EVENT_TYPES) {
    const isOn = events.includes(extension);
    if (isOn !== before.includes(extension)) await applications.switchExtension(own, { extension, isOn });
  }
}

/** Fetching the events of an application, with or without a webhook (an extension of the contract). */
export function eventRoutes(deps: WebhookDeps) {
  const { db, applications } = deps;
  const beginStream = createFeedStreams(deps);
  return serve(V1, {
    'POST /v1/events/simulate': async ({ actor: { appId }, body }) =>
      simulateEvent(deps, { actorId: await applications.findOwnerId(appId), appId }, body),
    'GET /v1/events': async ({ actor: { appId }, toAdmissionCheck, query, request, reply }) => {
      const after =
        query.after === ACKNOWLEDGED
          ? (await findFeed(db, appId)).acknowledgedPosition
          : cursorOf(query.after, 'after');
      if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) {
        const page = await readFeedPage(deps, appId, { after: after ?? 0, limit: limitOf(query.limit) });
        return sendText(reply, page);
      }
      const resumed = cursorOf(lastEventIdOf(request), 'Last-Event-ID');
      await beginStream(reply, { appId, after: resumed ?? after, isAllowed: toAdmissionCheck() });
      return reply;
    },
    'POST /v1/events/acknowledge': ({ actor, body }) => acknowledgeEvents(deps, actor.appId, body),
    'GET /v1/events/dead-letters': async ({ actor: { appId }, query: { after, limit }, reply }) => {
      const asked = { limit: limitOf(limit), after: readCursor('dlv', 'after', after) ?? '' };
      return sendText(reply, await readDeadLetters(deps, appId, asked));
    },
    'GET /v1/webhook': ({ actor }) => showWebhook(deps, actor),
    'PUT /v1/webhook': async ({ actor, body }) => {
      await setWebhook(deps, await applications.ownedByBot(actor), body);
      return showWebhook(deps, actor);
    },
    'POST /v1/events/replay': async ({ actor, body }) => ({
      replayed: await replayEventsForBot(deps, actor.appId, body.eventIds),
    }),
  });
}

/** Text is sent unchanged, bypassing the serializer of the schema. */
function sendText(reply: FastifyReply, page: string) {
  return reply.type('application/json; charset=utf-8').send(page);
}

async function readFeedPage(
  deps: WebhookDeps,
  appId: string,
  asked: { after: number; limit: number },
): Promise<string> {
  const { events, end, hasMore } = await readFeed(deps, appId, asked);
  if (events.length > 0) await markFetched(deps, appId, end);
  const items = events.map(({ position, eventId, createdAt, body }) => ({
    head: { cursor: String(position), eventId, createdAt },
    body,
  }));
  const data = { events: [], nextAfter: String(end), hasMore };
  return pageOf(success(deps.clock.now(), 'events, oldest first', data), items);
}

/** A page of the events that neither the bot nor its webhook handled, oldest first, without unreadable ones. */
async function readDeadLetters(
  { db, clock, keyring }: WebhookDeps,
  appId: string,
  asked: { after: string; limit: number },
): Promise<string> {
  const rows = await findDeadLetters(db, appId, asked);
  const sealed = new Map((await findBodies(db, rows)).map((event) => [event.deliveryId, event]));
  const latest = new Map((await findLatestAttempts(db, rows)).map((made) => [made.deliveryId, made.entry]));
  const items = rows.flatMap(({ deliveryId: eventId, attempts }) => {
    const event = sealed.get(eventId);
    const body = event && openBodyIfReadable(keyring, event);
    if (!body) return [];
    const { createdAt } = event;
    const entry = latest.get(eventId);
    const { at: failedAt, message = '' } = entry ? viewAttempt(entry) : { at: createdAt };
    return [{ head: { eventId, createdAt, failedAt, attempts, message }, body }];
  });
  const nextAfter = rows.length === asked.limit ? rows.at(-1)?.deliveryId : undefined;
  const data = withoutAbsent({ deadLetters: [], nextAfter });
  return pageOf(success(clock.now(), 'dead letters, oldest first', data), items);
}

/** Fills the empty list of an envelope by hand, so that each event keeps its recorded bytes. */
function pageOf(envelope: object, items: { head: object; body: Buffer }[]): string {
  const list = items.map(({ head, body }) => `${JSON.stringify(head).slice(0, -1)},"event":${body}}`).join();
  return JSON.stringify(envelope).replace(/:\[\]/, () => `:[${list}]`);
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['last-event-id'];
  return Array.isArray(header) ? header[0] : header || undefined;
}

function cursorOf(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidArgument(field, 'not-a-cursor');
  return Number(text);
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? FEED_PAGE.usual : Number(text);
  if (limit < 1 || limit > FEED_PAGE.most) {
    throw invalidArgument('limit', 'from-to', { least: 1, most: FEED_PAGE.most });
  }
  return limit;
}

type Failed = NonNullable<AcknowledgeEvents['failed']>[number];

/**
 * Stores the position up to which the bot handled its feed. Failed events are abandoned, like one whose 8th
 * webhook attempt failed: they are in the event log, contacts are alerted, and they can be replayed. Events
 * sent to the webhook are not affected.
 *
 * @throws ApiError 400 for a cursor that was never issued
 */
async function acknowledgeEvents(
  { db, clock }: WebhookDeps,
  appId: string,
  { upTo, failed: given }: AcknowledgeEvents,
): Promise<void> {
  const failed = given ?? [];
  const { lastPosition } = await findFeed(db, appId);
  if (upTo != null && Number(upTo) > lastPosition) throw invalidArgument('upTo', 'not-a-cursor-here');
  const byPosition = new Map(failed.map((event) => [Number(event.cursor), event]));
  for (const position of byPosition.keys()) {
    if (position > lastPosition) throw invalidArgument('failed', 'not-a-cursor-here');
  }
  const found = byPosition.size > 0 ? await findAtPositions(db, appId, [...byPosition.keys()]) : [];
  const at = clock.now();
  await db.begin(async (tx) => {
    for (const { feedPosition, ...event } of found) {
      const entry = entryOf(byPosition.get(feedPosition) as Failed, at);
      const queued = await upsertGivenUp(tx, appId, { ...event, attempts: entry.attempt });
      if (queued) await insertAttempts(tx, [{ ...event, ...queued, entry }]);
    }
    if (upTo != null) await updateAcknowledged(tx, appId, Number(upTo));
  });
}

function entryOf({ attempts, error }: Failed, at: number): AttemptEntry {
  const { reason, values } = say('attempt.bot-failed', { attempts, error: error ?? 'Error' });
  return { attempt: attempts, at, errorClass: 'bot_failed', reason, values };
}
