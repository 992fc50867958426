import type { FastifyRequest } from 'fastify';
import { Success } from '#contract/envelope.ts';
import {
  ACKNOWLEDGED,
  AcknowledgedEvents,
  AcknowledgeEvents,
  DeadLetterPage,
  DeadLetterQuery,
  FEED_PAGE,
  FeedPage,
  FeedQuery,
  ReplayEvents,
  ReplayedEvents,
} from '#contract/webhooks/event-feed.ts';
import { SimulatedEvent, SimulateEvent } from '#contract/webhooks.ts';
import type { Access, V1 } from '#features/applications/index.ts';
import { invalidArgument } from '#platform/errors.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import type { Webhooks } from '../index.ts';
import type { DeadLetterPart } from './dead-letters.ts';
import type { FeedPart } from './event-feed.ts';

const access: Access = { actors: ['bot'] };
const tags = ['Events'];

interface Surface extends Pick<Platform, 'clock'> {
  /** Whether the credential of a request would still be admitted; for streams, which outlive the request. */
  toAdmissionCheck(request: FastifyRequest): () => Promise<boolean>;
}

/** Fetching the events of an application, with or without a webhook (an extension of the contract). */
export function eventRoutes(v1: V1, { feed, tools }: Webhooks, { clock, toAdmissionCheck }: Surface): void {
  v1.post(
    '/v1/events/simulate',
    {
      access,
      operationId: 'simulateEvent',
      summary: 'Simulate an event',
      description:
        'Sends the bot a made-up event, marked `sandbox: true`, through its webhook and the event feed.',
      tags,
      body: SimulateEvent,
      reply: SimulatedEvent,
      message: 'event simulated',
    },
    ({ actor, body }) => tools.simulateForBot(actor.appId, body),
  );

  v1.raw(
    '/v1/events',
    {
      access,
      operationId: 'listEvents',
      summary: 'List events',
      description:
        'Returns the events that webhooks receive, with the same bytes, one page at a time: pass `nextAfter` as `after` ' +
        'to get what follows. With `Accept: text/event-stream` the answer is a stream of server-sent events, which ' +
        'resumes after `Last-Event-ID`.',
      tags,
      query: FeedQuery,
      reply: Success(FeedPage),
    },
    async ({ actor: { appId }, query, request, reply }) => {
      const after =
        query.after === ACKNOWLEDGED ? await feed.findAcknowledged(appId) : cursorOf(query.after, 'after');
      if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) {
        const part = await feed.read(appId, { after: after ?? 0, limit: limitOf(query.limit) });
        if (part.events.length > 0) await feed.markFetched(appId, part.end);
        // Text is sent unchanged, bypassing the serializer of the schema.
        return reply.type('application/json; charset=utf-8').send(feedPage(clock.now(), part));
      }
      const resumed = cursorOf(lastEventIdOf(request), 'Last-Event-ID');
      await feed.stream(reply, { appId, after: resumed ?? after, isAllowed: toAdmissionCheck(request) });
      return reply;
    },
  );

  v1.post(
    '/v1/events/acknowledge',
    {
      access,
      operationId: 'acknowledgeEvents',
      summary: 'Acknowledge events',
      description:
        'Stores how far the bot has handled its events: `GET /v1/events?after=acknowledged` goes on there. Events in ' +
        '`failed` are given up and become dead letters, unless a webhook receives them.',
      tags,
      body: AcknowledgeEvents,
      reply: AcknowledgedEvents,
      message: 'events acknowledged',
    },
    async ({ actor, body }) => {
      await feed.acknowledge(actor.appId, body);
      return { acknowledged: true as const };
    },
  );

  v1.raw(
    '/v1/events/dead-letters',
    {
      access,
      operationId: 'listDeadLetters',
      summary: 'List dead letters',
      description:
        'Returns the events that were given up, the oldest first: those that the bot reported, and those whose 8th ' +
        'attempt at the webhook failed.',
      tags,
      query: DeadLetterQuery,
      reply: Success(DeadLetterPage),
    },
    async ({ actor: { appId }, query: { after, limit }, reply }) => {
      const part = await feed.readDeadLetters(appId, { after, limit: limitOf(limit) });
      return reply.type('application/json; charset=utf-8').send(deadLetterPage(clock.now(), part));
    },
  );

  v1.post(
    '/v1/events/replay',
    {
      access,
      operationId: 'replayEvents',
      summary: 'Replay events',
      description:
        'Sends events again: to the webhook, with 8 fresh attempts, or through the event feed of a bot without a ' +
        'webhook. Unknown events, and those that are about to be sent, are left out.',
      tags,
      body: ReplayEvents,
      reply: ReplayedEvents,
      message: 'events replayed',
    },
    async ({ actor, body }) => ({ replayed: await feed.replay(actor.appId, body.eventIds) }),
  );
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
