import { APPLICATION } from '#contract/api/console.ts';
import type { Db, Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import { confirmContact, findConfirmation } from './alerts/confirmation.ts';
import { alertRoutes } from './alerts/console.ts';
import { raiseAlerts } from './alerts/raise-alerts.ts';
import { sendNotices } from './alerts/send-notices.ts';
import { selectLongestOpen, selectOpenBreakers } from './breakers.ts';
import { type ChosenEvent, createBlockHook, createMembershipHook, recordChosen } from './chosen-events.ts';
import { findBacklogOf } from './delivery/backlogs/backlogs.ts';
import { countOpen } from './delivery/backlogs/queue-metrics.ts';
import { findSlowestEndpoints } from './delivery/backlogs/slowest-endpoints.ts';
import { Delivery } from './delivery/delivery.ts';
import type { SenderOptions } from './delivery/sender.ts';
import type { WebhookDeps } from './deps.ts';
import { findEventsOfMessages, findLastEvent, listEvents, showEvent } from './log/event-log.ts';
import { removeExpiredEvents } from './log/expiry.ts';
import { createLiveTails } from './log/live-tail.ts';
import { searchEvents, showPayload } from './log/search.ts';
import { createWebhookApplicationHook } from './own-target.ts';
import { announceEvents, type OutgoingEvent, recordEvents, recordingEvents } from './record-events.ts';
import { forgetMessages, type RevisedMessage, reviseEvents } from './revise-events.ts';
import { recoverEvents, replayEvent } from './tasks/replay.ts';
import { workOnTasks } from './tasks/work.ts';
import { trialRoutes } from './tools/console.ts';
import { eventRoutes } from './v1.ts';

export { countMails } from '#platform/mail.ts';
export { CONFIRMATION_PATH } from './alerts/confirmation.ts';
export type { ChosenEvent } from './chosen-events.ts';
export { watchQueue } from './delivery/backlogs/queue-metrics.ts';
export { MemoryQueue } from './delivery/memory-queue.ts';
export type { SenderOptions } from './delivery/sender.ts';
export { createWebhookApplicationHook } from './own-target.ts';
export type { OutgoingEvent } from './record-events.ts';
export { eventMessage, type FirstState, firstStateFor } from './rules.ts';
export { SANDBOX } from './tools/sandbox-content.ts';

/** The events about messages for applications: recorded, delivered to webhooks or fetched, and logged. */
export type Webhooks = ReturnType<typeof createWebhooks>['api'];

export function createWebhooks(deps: WebhookDeps) {
  const { db } = deps;
  const beginLiveTail = createLiveTails(deps);
  const api = {
    /**
     * Writes events into the outbox, in the transaction of their message; after the commit, call `announce`.
     * Returns their ids, in the same order.
     */
    record: (tx: Tx, events: OutgoingEvent[]) => recordEvents(tx, deps, events),
    /** The same as a part of the statement that stores the messages; not on Citus. */
    recording: (tx: Tx, events: OutgoingEvent[]) => recordingEvents(tx, deps, events),
    /** Deletes the events of permanently deleted messages. */
    forget: forgetMessages,
    /** Updates the pending events of a message to its current content; without content they are removed. */
    revise: (tx: Tx, message: RevisedMessage, change: Parameters<typeof reviseEvents>[3]) =>
      reviseEvents(tx, deps, message, change),
    /** After the commit: sends the events, or wakes up who does, and wakes up event streams. */
    announce: (events: readonly Pick<OutgoingEvent, 'appId' | 'state'>[]) => announceEvents(deps, events),
    /** Records events for the applications that chose them; returns what sends them, after the commit. */
    recordChosen: (tx: Tx, events: readonly ChosenEvent[]) => recordChosen(tx, deps, events),
    /** Instead, for events whose messages were not stored. */
    discard: (events: readonly OutgoingEvent[]) => deps.memoryQueue.discard(events),
    /** Events to be sent: due, waiting for a retry, parked. */
    ...withDeps(deps, { countQueue: countOpen, findSlowestEndpoints, findBacklog: findBacklogOf }),
    ...withDeps(db, { findOpenBreakers: selectLongestOpen, findEventsOfMessages }),
    /** Which of these applications have a failing endpoint, that is, an open breaker. */
    findFailingEndpoints: async (appIds: string[]) =>
      new Set((await selectOpenBreakers(db, appIds)).map(({ appId }) => appId)),
    /** The newest event of an application, for callers that have checked its owner. */
    findLastEvent: (appId: string, at: Db = db) => findLastEvent(at, appId),
    alerts: {
      ...withDeps(deps, { findConfirmation, confirmContact }),
      /** One step of the worker: alerts about abandoned events. Returns 0 if there may be more to send. */
      async sendDue() {
        await raiseAlerts(deps);
        return (await sendNotices(deps)) > 0 ? 0 : undefined;
      },
    },
    /** Begins the console's stream of events and requests of an application. */
    beginLiveTail,
    /** Delivers due events, in a worker process. */
    openDelivery: (options?: SenderOptions) => new Delivery(deps, options),
    /** Steps of the worker. */
    ...withDeps(deps, { workOnTasks, removeExpired: removeExpiredEvents }),
  };
  return {
    api,
    routes: [eventRoutes(deps), eventLogRoutes(deps, beginLiveTail), trialRoutes(deps), alertRoutes(deps)],
    hooks: {
      application: createWebhookApplicationHook(deps),
      contact: createBlockHook(deps),
      group: createMembershipHook(deps),
    },
  };
}

/** The event log of an application, replays, and its live stream. */
function eventLogRoutes(deps: WebhookDeps, beginLiveTail: ReturnType<typeof createLiveTails>) {
  return serve(APPLICATION, {
    'GET /applications/:appId/events': ({ own, query }) => listEvents(deps, own, query),
    'GET /applications/:appId/events/search': ({ own, query }) => searchEvents(deps, own, query),
    'GET /applications/:appId/events/:eventId': ({ own, params: { eventId } }) =>
      showEvent(deps, own, eventId),
    'GET /applications/:appId/events/:eventId/payload': ({ own, params: { eventId } }) =>
      showPayload(deps, own, eventId),
    'POST /applications/:appId/events/:eventId/replay': ({ own, params: { eventId } }) =>
      replayEvent(deps, own, eventId),
    'POST /applications/:appId/events/recover': ({ own, body: { since } }) => recoverEvents(deps, own, since),
    'GET /applications/:appId/live': async ({ person, own, reply }) => {
      await beginLiveTail(reply, { person, own });
      return reply;
    },
  });
}
