import { EVENT_EXAMPLES } from '#contract/examples.ts';
import { CHOSEN_EVENT_BODIES, CHOSEN_EVENTS } from '#contract/webhooks/chosen-events.ts';
import { CHOSEN_EVENT_TYPES, type ChosenEventType, type EventType } from '#contract/webhooks/event-types.ts';
import { GroupMessageReceived, MessageReceived, Ping } from '#contract/webhooks/events.ts';

const RETRIED =
  'The event was not received: any other status, a redirect included, or no answer within 10 seconds. It is sent again after ' +
  '30 s, 1 min, 2 min and so on, up to 1 h, 8 attempts in all.';

type Described = { schema: object; failure: string; about: object };

const EVENTS: Record<Exclude<EventType, ChosenEventType>, Described> = {
  'message.received': {
    schema: MessageReceived,
    failure: RETRIED,
    about: {
      operationId: 'onMessageReceived',
      summary: 'A private message to the bot',
      description: 'Sent when a user writes to the bot in private. Use `data.chatId` as `to` to answer.',
    },
  },
  'group_message.received': {
    schema: GroupMessageReceived,
    failure: RETRIED,
    about: {
      operationId: 'onGroupMessageReceived',
      summary: 'A message in a group of the bot',
      description:
        'Sent when somebody else posts in a group that the bot is a member of; to a bot that is quiet in groups, only if the ' +
        'message concerns it. `data.isMentioned` says whether the message mentions the bot.',
    },
  },
  ping: {
    schema: Ping,
    failure: 'The ping failed. It is not sent again; the console shows what went wrong.',
    about: {
      operationId: 'onPing',
      summary: 'A test of the webhook',
      description: 'Sent when the owner of the application sends a ping from the console.',
    },
  },
};

const CHOSEN: [string, Described][] = CHOSEN_EVENT_TYPES.map((type, i) => {
  const { title, description } = CHOSEN_EVENTS[type];
  return [
    type,
    {
      schema: CHOSEN_EVENT_BODIES[i] as object,
      failure: RETRIED,
      about: {
        operationId: `on${title}`,
        summary: description.replace(/\.$/, ''),
        description:
          'Sent only to applications that chose it, in the console or with `PUT /v1/webhook`. It has no text of a message. ' +
          'Deduplicate by `data.eventId`.',
        'x-extension': true,
      },
    },
  ];
});

/** The common part of every event (contract §6). */
export const ABOUT_WEBHOOKS =
  'Requests that the service sends to the webhook URL of a bot’s application. Verify `X-Service-Signature` before you ' +
  'trust an event. An event can arrive more than once: deduplicate by `data.eventId` where there is one, else by `data.msgId`.';

const SIGNATURE_RULE =
  '`t=<unix_seconds>,v1=<64 lowercase hex digits>`, where `v1` is the HMAC-SHA256 of `<t>.<raw request body>`, keyed with the ' +
  'webhook secret as it was displayed. Compute it over the raw body, not over JSON that was parsed and serialized again; ' +
  'compare in constant time; reject a `t` more than 300 seconds away from the current time.';

const STANDARD_HEADERS = [
  header(
    'webhook-id',
    'Id of the event, the same in every attempt ([Standard Webhooks](https://www.standardwebhooks.com)).',
    'dlv_01m7y78nmd0006x4c9r2t7wz',
  ),
  header('webhook-timestamp', 'Time of the attempt, in Unix seconds (Standard Webhooks).', '1795236845'),
  header(
    'webhook-signature',
    'The signature of Standard Webhooks, for receivers that verify that one; while two secrets overlap, one for each, separated by a ' +
      'space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/**
 * The webhook requests that the service sends.
 *
 * @param serviceName the operator's name for the service; the contract's two headers are also sent under that name
 */
export function describeWebhooks(serviceName: string | undefined): object {
  return Object.fromEntries(
    [...Object.entries(EVENTS), ...CHOSEN].map(([type, described]) => [
      type,
      { post: describeEvent(type, described, ['Service', ...(serviceName ? [serviceName] : [])]) },
    ]),
  );
}

function describeEvent(type: string, { schema, failure, about }: Described, names: string[]): object {
  return {
    ...about,
    tags: ['Webhooks'],
    security: [],
    parameters: [
      ...names.flatMap((name) => [
        header(`X-${name}-Event`, 'The type of the event.', type),
        header(
          `X-${name}-Signature`,
          SIGNATURE_RULE,
          't=1795236845,v1=9d6b1e4f0c2a7853e8f1b6a4d0379c52e1487fb3a6d2095c8b41f7e06a3d92c5',
        ),
      ]),
      ...STANDARD_HEADERS,
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: EVENT_EXAMPLES[type as EventType] } },
    },
    responses: {
      '2XX': { description: 'The event was received. The body of the answer is ignored.' },
      default: { description: failure },
    },
  };
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
