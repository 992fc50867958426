import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { id } from '#contract/ids.ts';
import {
  EventFilter,
  EventPayload,
  LoggedEvent,
  LoggedEventDetails,
  RecoverEvents,
  Recovery,
} from '#contract/webhooks.ts';
import { ownedBy } from '#features/applications/service.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { listEvents, showEvent } from './event-log.ts';
import { showPayload } from './payload.ts';
import { recoverEvents, replayEvent } from './replay.ts';

/** What became of an application's events, and sending them again. */
export function eventLogRoutes(app: App, deps: Platform): void {
  const { db, clock } = deps;
  const params = Type.Object({ appId: AppId });
  const eventParams = Type.Object({ appId: AppId, eventId: id() });

  app.get(
    '/applications/:appId/events',
    { schema: { params, querystring: EventFilter, response: { 200: Success(Type.Array(LoggedEvent)) } } },
    async ({ person, params: { appId }, query }) => {
      const events = await listEvents(db, ownedBy(person, appId), query);
      return success(clock.now(), 'the last 100 events, the newest first', events);
    },
  );

  app.get(
    '/applications/:appId/events/:eventId',
    { schema: { params: eventParams, response: { 200: Success(LoggedEventDetails) } } },
    async ({ person, params: { appId, eventId } }) => {
      const event = await showEvent(db, ownedBy(person, appId), eventId);
      return success(clock.now(), 'event', event);
    },
  );

  app.get(
    '/applications/:appId/events/:eventId/payload',
    { schema: { params: eventParams, response: { 200: Success(EventPayload) } } },
    async ({ person, params: { appId, eventId } }) => {
      const payload = await showPayload(deps, ownedBy(person, appId), eventId);
      return success(
        clock.now(),
        payload.isMasked ? 'payload, what people wrote masked' : 'payload',
        payload,
      );
    },
  );

  app.post(
    '/applications/:appId/events/:eventId/replay',
    { schema: { params: eventParams, response: { 200: Success(LoggedEventDetails) } } },
    async ({ person, params: { appId, eventId } }) => {
      const event = await replayEvent(deps, ownedBy(person, appId), eventId);
      return success(clock.now(), 'the event is sent again', event);
    },
  );

  app.post(
    '/applications/:appId/events/recover',
    { schema: { params, body: RecoverEvents, response: { 200: Success(Recovery) } } },
    async ({ person, params: { appId }, body: { since } }) => {
      const recovery = await recoverEvents(deps, ownedBy(person, appId), since);
      return success(clock.now(), 'what failed is sent again', recovery);
    },
  );
}
