import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Webhooks } from '../index.ts';

/** The event log of an application, replays, and its live stream. */
export function eventLogRoutes({ log, liveTails }: Webhooks) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/events': ({ person, params: { appId }, query }) =>
        log.list(ownedBy(person, appId), query),
      'GET /applications/:appId/events/search': ({ person, params: { appId }, query }) =>
        log.search(ownedBy(person, appId), query),
      'GET /applications/:appId/events/:eventId': ({ person, params: { appId, eventId } }) =>
        log.show(ownedBy(person, appId), eventId),
      'GET /applications/:appId/events/:eventId/payload': ({ person, params: { appId, eventId } }) =>
        log.showPayload(ownedBy(person, appId), eventId),
      'POST /applications/:appId/events/:eventId/replay': ({ person, params: { appId, eventId } }) =>
        log.replay(ownedBy(person, appId), eventId),
      'POST /applications/:appId/events/recover': ({ person, params: { appId }, body: { since } }) =>
        log.recover(ownedBy(person, appId), since),
      'GET /applications/:appId/live': async ({ person, params: { appId }, reply }) => {
        await liveTails.begin(reply, { person, appId });
        return reply;
      },
    }),
  ];
}
