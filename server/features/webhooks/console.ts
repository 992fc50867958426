import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { WebhookDeps } from './deps.ts';
import { listEvents, showEvent } from './log/event-log.ts';
import type { LiveTails } from './log/live-tail.ts';
import { showPayload } from './log/payload.ts';
import { searchEvents } from './log/search.ts';
import { recoverEvents, replayEvent } from './tasks/replay.ts';

/** The event log of an application, replays, and its live stream. */
export function eventLogRoutes(deps: WebhookDeps, liveTails: LiveTails) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/events': ({ person, params: { appId }, query }) =>
        listEvents(deps, ownedBy(person, appId), query),
      'GET /applications/:appId/events/search': ({ person, params: { appId }, query }) =>
        searchEvents(deps, ownedBy(person, appId), query),
      'GET /applications/:appId/events/:eventId': ({ person, params: { appId, eventId } }) =>
        showEvent(deps, ownedBy(person, appId), eventId),
      'GET /applications/:appId/events/:eventId/payload': ({ person, params: { appId, eventId } }) =>
        showPayload(deps, ownedBy(person, appId), eventId),
      'POST /applications/:appId/events/:eventId/replay': ({ person, params: { appId, eventId } }) =>
        replayEvent(deps, ownedBy(person, appId), eventId),
      'POST /applications/:appId/events/recover': ({ person, params: { appId }, body: { since } }) =>
        recoverEvents(deps, ownedBy(person, appId), since),
      'GET /applications/:appId/live': async ({ person, params: { appId }, reply }) => {
        await liveTails.begin(reply, { person, appId });
        return reply;
      },
    }),
  ];
}
