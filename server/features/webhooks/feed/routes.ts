import type { FastifyRequest } from 'fastify';
import { Success } from '#contract/envelope.ts';
import { FEED_PAGE, FeedPage, FeedQuery } from '#contract/event-feed.ts';
import { SimulatedEvent, SimulateEvent } from '#contract/webhooks.ts';
import { findOwnerId } from '#features/applications/service.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { simulateEvent } from '../tools/simulate.ts';
import { type FeedPart, readFeed } from './event-feed.ts';
import { FeedStreams } from './stream.ts';

/** The events of an application for those who fetch them, with or without a webhook (an extension of the contract). */
export function eventRoutes(
  app: App,
  deps: Pick<Platform, 'db' | 'clock' | 'newId' | 'keyring' | 'dueDeliveries' | 'live' | 'log'>,
): void {
  const { clock, db } = deps;
  const streams = new FeedStreams(deps);
  app.addHook('onClose', async () => streams[Symbol.dispose]());

  app.post(
    '/v1/events/simulate',
    {
      config: { access: { actors: ['bot'] } },
      schema: {
        operationId: 'simulateEvent',
        summary: 'Simulate an event',
        description:
          'Sends the bot a made-up event, marked `sandbox: true`, through its webhook and the event feed.',
        tags: ['Events'],
        body: SimulateEvent,
        response: { 200: Success(SimulatedEvent) },
      },
    },
    async ({ actor: { appId }, body }) => {
      const own = { ownerId: await findOwnerId(db, appId), appId };
      return success(clock.now(), 'event simulated', await simulateEvent(deps, own, body));
    },
  );

  app.get(
    '/v1/events',
    {
      config: { access: { actors: ['bot'] } },
      schema: {
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Returns the events that webhooks receive, with the same bytes, one page at a time: pass `nextAfter` as `after` ' +
          'to get what follows. With `Accept: text/event-stream` the answer is a stream of server-sent events, which ' +
          'resumes after `Last-Event-ID`.',
        tags: ['Events'],
        querystring: FeedQuery,
        response: { 200: Success(FeedPage) },
      },
    },
    async (request, reply) => {
      const { appId } = request.actor;
      const after = cursorOf(request.query.after, 'after');
      if (!/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) {
        const limit = limitOf(request.query.limit);
        const part = await readFeed(deps, appId, { after: after ?? 0, limit });
        const page = feedPage(clock.now(), part);
        // Text is sent as it is, past the serializer of the schema.
        return reply.type('application/json; charset=utf-8').send(page as never);
      }
      const resumed = cursorOf(lastEventIdOf(request), 'Last-Event-ID');
      const isAllowed = request.toAdmissionCheck();
      await streams.begin(reply, { appId, after: resumed ?? after, isAllowed });
      return reply;
    },
  );
}

/** By hand, so that the bytes of each event are those that were recorded. */
function feedPage(now: number, { events, end, hasMore }: FeedPart): string {
  const items = events.map(({ position, eventId, createdAt, body }) => {
    const place = JSON.stringify({ cursor: String(position), eventId, createdAt });
    return `${place.slice(0, -1)},"event":${body}}`;
  });
  const envelope = JSON.stringify(
    success(now, 'events, oldest first', { events: [], nextAfter: String(end), hasMore }),
  );
  return envelope.replace('"events":[]', () => `"events":[${items.join()}]`);
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['last-event-id'];
  return Array.isArray(header) ? header[0] : header || undefined;
}

function cursorOf(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidArgument(field, 'is no cursor');
  return Number(text);
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? FEED_PAGE.usual : Number(text);
  if (limit < 1 || limit > FEED_PAGE.most) {
    throw invalidArgument('limit', `must be from 1 to ${FEED_PAGE.most}`);
  }
  return limit;
}
