import type { FastifyRequest } from 'fastify';
import { V1 } from '#contract/api/v1.ts';
import { ACKNOWLEDGED, FEED_PAGE } from '#contract/webhooks/event-feed.ts';
import { invalidArgument } from '#platform/errors.ts';
import { success } from '#platform/http/envelope.ts';
import { serve } from '#platform/http/serve.ts';
import type { WebhookDeps } from './deps.ts';
import { acknowledgeEvents } from './feed/acknowledge.ts';
import { type DeadLetterPart, readDeadLetters } from './feed/dead-letters.ts';
import { type FeedPart, markFetched, readFeed } from './feed/event-feed.ts';
import { findFeed } from './feed/queries.ts';
import { FeedStreams } from './feed/stream.ts';
import { replayEventsForBot } from './tasks/replay.ts';
import { simulateEvent } from './tools/simulate.ts';

/** Fetching the events of an application, with or without a webhook (an extension of the contract). */
export function eventRoutes(deps: WebhookDeps) {
  const { db, clock, applications } = deps;
  const streams = new FeedStreams(deps);
  return [
    serve(V1, {
      'POST /v1/events/simulate': async ({ actor: { appId }, body }) =>
        simulateEvent(deps, { ownerId: await applications.findOwnerId(appId), appId }, body),
      'GET /v1/events': async ({ actor: { appId }, toAdmissionCheck, query, request, reply }) => {
        const after =
          query.after === ACKNOWLEDGED
            ? (await findFeed(db, appId)).acknowledgedPosition
            : cursorOf(query.after, 'after');
        if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) {
          const part = await readFeed(deps, appId, { after: after ?? 0, limit: limitOf(query.limit) });
          if (part.events.length > 0) await markFetched(deps, appId, part.end);
          // Text is sent unchanged, bypassing the serializer of the schema.
          return reply.type('application/json; charset=utf-8').send(feedPage(clock.now(), part));
        }
        const resumed = cursorOf(lastEventIdOf(request), 'Last-Event-ID');
        await streams.begin(reply, { appId, after: resumed ?? after, isAllowed: toAdmissionCheck() });
        return reply;
      },
      'POST /v1/events/acknowledge': async ({ actor, body }) => {
        await acknowledgeEvents(deps, actor.appId, body);
        return { acknowledged: true as const };
      },
      'GET /v1/events/dead-letters': async ({ actor: { appId }, query: { after, limit }, reply }) => {
        const part = await readDeadLetters(deps, appId, { after, limit: limitOf(limit) });
        return reply.type('application/json; charset=utf-8').send(deadLetterPage(clock.now(), part));
      },
      'POST /v1/events/replay': async ({ actor, body }) => ({
        replayed: await replayEventsForBot(deps, actor.appId, body.eventIds),
      }),
    }),
  ];
}

function feedPage(now: number, { events, end, hasMore }: FeedPart): string {
  const items = events.map(({ position, eventId, createdAt, body }) => ({
    head: { cursor: String(position), eventId, createdAt },
    body,
  }));
  return pageOf(success(now, 'events, oldest first', { events: [], nextAfter: String(end), hasMore }), items);
}

function deadLetterPage(now: number, { deadLetters, nextAfter }: DeadLetterPart): string {
  const items = deadLetters.map(({ body, ...head }) => ({ head, body }));
  const data = { deadLetters: [], ...(nextAfter !== undefined && { nextAfter }) };
  return pageOf(success(now, 'dead letters, oldest first', data), items);
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
