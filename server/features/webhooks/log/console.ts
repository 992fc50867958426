import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { id } from '#contract/ids.ts';
import {
  EventFilter,
  EventPage,
  EventPayload,
  EventSearch,
  LoggedEvent,
  LoggedEventDetails,
  RecoverEvents,
  Recovery,
} from '#contract/webhooks.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { Webhooks } from '../index.ts';

const params = Type.Object({ appId: AppId });
const eventParams = Type.Object({ appId: AppId, eventId: id() });

/** The event log of an application, replays, and its live stream. */
export function eventLogRoutes(routes: ConsoleRoutes, { log, liveTails }: Webhooks): void {
  routes.get(
    '/applications/:appId/events',
    {
      params,
      query: EventFilter,
      reply: Type.Array(LoggedEvent),
      message: 'the last 100 events, the newest first',
    },
    ({ person, params: { appId }, query }) => log.list(ownedBy(person, appId), query),
  );

  routes.get(
    '/applications/:appId/events/search',
    { params, query: EventSearch, reply: EventPage, message: 'events, the newest first' },
    ({ person, params: { appId }, query }) => log.search(ownedBy(person, appId), query),
  );

  routes.get(
    '/applications/:appId/events/:eventId',
    { params: eventParams, reply: LoggedEventDetails, message: 'event' },
    ({ person, params: { appId, eventId } }) => log.show(ownedBy(person, appId), eventId),
  );

  routes.get(
    '/applications/:appId/events/:eventId/payload',
    {
      params: eventParams,
      reply: EventPayload,
      message: ({ isMasked }) => (isMasked ? 'payload, what people wrote masked' : 'payload'),
    },
    ({ person, params: { appId, eventId } }) => log.showPayload(ownedBy(person, appId), eventId),
  );

  routes.post(
    '/applications/:appId/events/:eventId/replay',
    { params: eventParams, reply: LoggedEventDetails, message: 'the event is sent again' },
    ({ person, params: { appId, eventId } }) => log.replay(ownedBy(person, appId), eventId),
  );

  routes.post(
    '/applications/:appId/events/recover',
    { params, body: RecoverEvents, reply: Recovery, message: 'what failed is sent again' },
    ({ person, params: { appId }, body: { since } }) => log.recover(ownedBy(person, appId), since),
  );

  routes.raw('/applications/:appId/live', { params }, async ({ person, params: { appId }, reply }) => {
    await liveTails.begin(reply, { person, appId });
    return reply;
  });
}
