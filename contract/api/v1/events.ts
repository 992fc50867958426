import type { Chapter } from '../../endpoints.ts';
import { Success } from '../../envelope.ts';
import { EVENT_EXAMPLES, MESSAGE, NOW, success } from '../../examples.ts';
import { fault, refusal } from '../../refusals.ts';
import {
  AcknowledgedEvents,
  AcknowledgeEvents,
  DeadLetterPage,
  DeadLetterQuery,
  FEED_PAGE,
  FeedPage,
  FeedQuery,
  ReplayEvents,
  ReplayedEvents,
} from '../../webhooks/event-feed.ts';
import { SimulatedEvent, SimulateEvent } from '../../webhooks.ts';

const PAGE_LIMIT = { least: 1, most: FEED_PAGE.most };

/** The events of a bot, which its webhook receives as well (an extension of the contract). */
export const EVENTS = {
  'POST /v1/events/simulate': {
    access: { actors: ['bot'] },
    operationId: 'simulateEvent',
    isExtension: true,
    summary: 'Simulate an event',
    description:
      'Sends the bot a made-up event, marked `sandbox: true`, through its webhook and the event feed. Answers to it are accepted and go nowhere; other calls do not know its conversation, and answer 404.',
    tags: ['Events'],
    body: SimulateEvent,
    reply: SimulatedEvent,
    message: 'event simulated',
    example: {
      request: { event: 'message.received', type: 'image' },
      response: { eventId: 'dlv_01m7y78nmd0006x4c9r2t7wz', msgId: MESSAGE },
    },
  },
  'GET /v1/events': {
    access: { actors: ['bot'] },
    operationId: 'listEvents',
    isExtension: true,
    summary: 'List events',
    description:
      'Returns the events that webhooks receive, with the same bytes, one page at a time: pass `nextAfter` as `after` ' +
      'to get what follows. With `Accept: text/event-stream` the answer is a stream of server-sent events, which ' +
      'resumes after `Last-Event-ID`.',
    tags: ['Events'],
    query: FeedQuery,
    reply: Success(FeedPage),
    isRaw: true,
    errors: [
      fault('invalid cursor or limit', 'limit', 'from-to', PAGE_LIMIT),
      refusal('http.too-many-streams', { count: 10 }),
    ],
    example: {
      response: success('events, oldest first', {
        events: [
          {
            cursor: '1041',
            eventId: 'dlv_01m7y78nmd0006x4c9r2t7wz',
            createdAt: NOW,
            event: EVENT_EXAMPLES['message.received'],
          },
        ],
        nextAfter: '1041',
        hasMore: false,
      }),
    },
  },
  'POST /v1/events/acknowledge': {
    access: { actors: ['bot'] },
    operationId: 'acknowledgeEvents',
    isExtension: true,
    summary: 'Acknowledge events',
    description:
      'Stores how far the bot has handled its events: `GET /v1/events?after=acknowledged` goes on there. An earlier position ' +
      'changes nothing. Events in `failed` are given up and become dead letters, unless they are sent to a webhook.',
    tags: ['Events'],
    body: AcknowledgeEvents,
    reply: AcknowledgedEvents,
    message: 'events acknowledged',
    errors: [fault('unknown cursor', 'upTo', 'not-a-cursor-here')],
    example: {
      request: { upTo: '1041', failed: [{ cursor: '1040', attempts: 8, error: 'TypeError' }] },
      response: { acknowledged: true },
    },
  },
  'GET /v1/events/dead-letters': {
    access: { actors: ['bot'] },
    operationId: 'listDeadLetters',
    isExtension: true,
    summary: 'List dead letters',
    description:
      'Returns the events that were given up, the oldest first: those that the bot reported, and those whose 8th ' +
      'attempt at the webhook failed.',
    tags: ['Events'],
    query: DeadLetterQuery,
    reply: Success(DeadLetterPage),
    isRaw: true,
    errors: [fault('invalid limit', 'limit', 'from-to', PAGE_LIMIT)],
    example: {
      response: success('dead letters, oldest first', {
        deadLetters: [
          {
            eventId: 'dlv_01m7y78nmd0006x4c9r2t7wz',
            createdAt: NOW,
            failedAt: NOW,
            attempts: 8,
            message: 'The bot fetched the event and abandoned it after 8 attempts: TypeError.',
            event: EVENT_EXAMPLES['message.received'],
          },
        ],
      }),
    },
  },
  'POST /v1/events/replay': {
    access: { actors: ['bot'] },
    operationId: 'replayEvents',
    isExtension: true,
    summary: 'Replay events',
    description:
      'Sends events again: to the webhook, with 8 fresh attempts, or through the event feed of a bot without a ' +
      'webhook. Unknown events, and those that are about to be sent, are left out.',
    tags: ['Events'],
    body: ReplayEvents,
    reply: ReplayedEvents,
    message: 'events replayed',
    errors: [refusal('webhook.no-url')],
    example: {
      request: { eventIds: ['dlv_01m7y78nmd0006x4c9r2t7wz'] },
      response: { replayed: 1 },
    },
  },
} as const satisfies Chapter<'actor'>;
