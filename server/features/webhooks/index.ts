import type { FastifyReply } from 'fastify';
import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createAlerts } from './alerts/alerts.ts';
import { createWebhookApplicationHook } from './application-hook.ts';
import { findOpenBreakersOf, selectLongestOpen } from './breakers/queries.ts';
import { findBacklogOf } from './delivery/backlogs/backlog-of.ts';
import { countOpen } from './delivery/backlogs/queue-metrics.ts';
import { findSlowestEndpoints } from './delivery/backlogs/slowest-endpoints.ts';
import { Delivery } from './delivery/delivery.ts';
import type { SenderOptions } from './delivery/sender.ts';
import { acknowledgeEvents } from './feed/acknowledge.ts';
import { readDeadLetters } from './feed/dead-letters.ts';
import { markFetched, readFeed } from './feed/event-feed.ts';
import { findFeed } from './feed/queries.ts';
import { type FeedReader, FeedStreams } from './feed/stream.ts';
import { findEventsOfMessages, findLastEvent, listEvents, showEvent } from './log/event-log.ts';
import { removeExpiredEvents } from './log/expiry.ts';
import { LiveTails } from './log/live-tail.ts';
import { showPayload } from './log/payload.ts';
import { searchEvents } from './log/search.ts';
import { announceEvents, type OutgoingEvent, recordEvents, recordingEvents } from './record-events.ts';
import { forgetMessages, type RevisedMessage, reviseEvents } from './revise-events.ts';
import { recoverEvents, replayEvent, replayEventsForBot } from './tasks/replay.ts';
import { workOnTasks } from './tasks/work.ts';
import { createTools } from './tools/tools.ts';
import { moveOldEvents } from './upgrade/move-old-events.ts';

export { countMails } from '#platform/mail.ts';
export { CONFIRMATION_PATH } from './alerts/confirmation.ts';

import { alertRoutes } from './alerts/console.ts';

export { createWebhookApplicationHook } from './application-hook.ts';
export { watchQueue } from './delivery/backlogs/queue-metrics.ts';
export type { SenderOptions } from './delivery/sender.ts';
export { eventMessage } from './event-message.ts';

import { eventRoutes } from './feed/v1.ts';
import { eventLogRoutes } from './log/console.ts';

export type { OutgoingEvent } from './record-events.ts';
export { type FirstState, firstStateFor } from './rules.ts';

import { trialRoutes } from './tools/console.ts';

export { SANDBOX } from './tools/sandbox-content.ts';

/** The events about messages for applications: recorded, delivered to webhooks or fetched, and logged. */
export type Webhooks = ReturnType<typeof openWebhooks>['api'];

function openWebhooks(
  platform: Platform,
  features: { accounts: Accounts; applications: Applications; bots: Bots },
) {
  const deps = { ...platform, ...features };
  const { db } = platform;
  const streams = new FeedStreams(platform);
  const api = {
    /**
     * Writes events into the outbox, in the transaction of their message; after the commit, call `announce`.
     * Returns their ids, in the same order.
     */
    record: (tx: Tx, events: OutgoingEvent[]) => recordEvents(tx, platform, events),
    /** The same as a part of the statement that stores the messages; not on Citus. */
    recording: (tx: Tx, events: OutgoingEvent[]) => recordingEvents(tx, platform, events),
    /** Deletes the events of permanently deleted messages. */
    forget: forgetMessages,
    /** Updates the pending events of a message to its current content; without content they are removed. */
    revise: (tx: Tx, message: RevisedMessage, change: Parameters<typeof reviseEvents>[3]) =>
      reviseEvents(tx, platform, message, change),
    /** After the commit: wakes up delivery and event streams. */
    announce: (events: readonly Pick<OutgoingEvent, 'appId' | 'state'>[]) => announceEvents(platform, events),
    /** Events to be sent: due, waiting for a retry, parked. */
    countQueue: () => countOpen(platform),
    findSlowestEndpoints: (limit: number) => findSlowestEndpoints(platform, limit),
    /** Which of these applications have a failing endpoint, that is, an open breaker. */
    findFailingEndpoints: async (appIds: string[]) => new Set(await findOpenBreakersOf(db, appIds)),
    /** The breakers that have been open for longest. */
    findOpenBreakers: (limit: number) => selectLongestOpen(db, limit),
    /** The queue of an application's endpoint, and since when its breaker is open. */
    findBacklog: (appId: string) => findBacklogOf(platform, appId),
    /** The newest event of an application, for callers that have checked its owner. */
    findLastEvent: (appId: string, at: Db = db) => findLastEvent(at, appId),
    /** The events of messages of one conversation for one application, with every attempt. */
    findEventsOfMessages: (messages: { appId: string; bucket: number; msgIds: string[] }) =>
      findEventsOfMessages(db, messages),
    log: {
      ...withDeps(deps, { list: listEvents, search: searchEvents, show: showEvent, showPayload }),
      ...withDeps(deps, { replay: replayEvent, recover: recoverEvents }),
    },
    tools: createTools(deps),
    alerts: createAlerts(deps),
    feed: {
      ...withDeps(deps, {
        read: readFeed,
        markFetched,
        acknowledge: acknowledgeEvents,
        readDeadLetters,
        replay: replayEventsForBot,
      }),
      /** The position that the bot acknowledged last. */
      findAcknowledged: async (appId: string) => (await findFeed(db, appId)).acknowledgedPosition,
      stream: (reply: FastifyReply, reader: FeedReader) => streams.begin(reply, reader),
    },
    /** The console's streams of events and requests of an application. */
    liveTails: new LiveTails(deps),
    /** Delivers due events, in a worker process. */
    openDelivery: (options?: SenderOptions) => new Delivery(deps, options),
    /** One step of the worker: owners' tasks that affect many events. */
    workOnTasks: (signal?: AbortSignal) => workOnTasks(deps, signal),
    /** One step of the worker: moves events that the previous version has written. */
    moveOldEvents: (signal?: AbortSignal) => moveOldEvents(deps, signal),
    /** One step of the worker: removes up to `limit` expired events at a time, and alerts. */
    removeExpired: (limit: { limit: number }) => removeExpiredEvents(platform, limit),
  };
  return { api, hooks: { application: createWebhookApplicationHook(deps) } };
}

export function createWebhooks(platform: Platform, features: Parameters<typeof openWebhooks>[1]) {
  const { api, hooks } = openWebhooks(platform, features);
  return {
    api,
    hooks,
    routes: [...eventRoutes(api, platform), ...eventLogRoutes(api), ...trialRoutes(api), ...alertRoutes(api)],
  };
}
