import { Type } from 'typebox';
import { Bot, ChangeBot } from '../../bots.ts';
import type { Chapter } from '../../endpoints.ts';
import { BOT, NOW } from '../../examples.ts';
import { optional } from '../../fields.ts';
import { fault } from '../../refusals.ts';
import { CHOSEN_EVENT_TYPES } from '../../webhooks/event-types.ts';
import { Attempt } from '../../webhooks.ts';

const events = Type.Array(
  Type.Enum(CHOSEN_EVENT_TYPES, {
    title: 'ChosenEventType',
    description: 'The type of an event that an application may choose.',
  }),
  { uniqueItems: true, description: 'The events that the application gets beyond messages.' },
);

const Webhook = Type.Object(
  {
    webhookUrl: Type.Optional(Type.String({ description: 'Left out if there is none.' })),
    events,
    failingSince: Type.Optional(
      Type.Integer({ description: 'Since when the receiver has been failing, in epoch milliseconds.' }),
    ),
    lastAttempt: Type.Optional(
      Type.Pick(Attempt, ['attempt', 'at', 'host', 'status', 'errorClass', 'phase', 'message'], {
        title: 'WebhookAttempt',
        description: 'The latest attempt to send the newest event, with what went wrong if it failed.',
      }),
    ),
  },
  { title: 'Webhook', description: 'Where an application gets its events, and whether they arrive.' },
);

/** Body of `PUT /v1/webhook`: what is left out stays as it is. */
const SetWebhook = Type.Object(
  {
    webhookUrl: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'A public https URL; `null` removes it.',
        examples: ['https://bot.example.com/hook'],
      }),
    ),
    events: optional(events),
  },
  { title: 'SetWebhook', description: 'Where an application gets its events, and which.' },
);

const access = { actors: ['bot'], scope: 'bot:manage' } as const;
const webhookExample = { webhookUrl: 'https://bot.example.com/hook', events: ['group.joined'] };

/** How a bot sets itself up, for pipelines that deploy it; extensions of the contract. */
export const SETUP = {
  'PATCH /v1/me': {
    access,
    operationId: 'changeMe',
    isExtension: true,
    summary: 'Change the bot’s profile',
    description: 'Changes the description, commands or picture of the bot; what is left out stays as it is.',
    tags: ['Identity'],
    body: Type.Object(ChangeBot.properties, {
      title: 'ChangeBot',
      description: 'The profile of a bot. Its name is that of the application.',
    }),
    reply: Type.Object(Bot.properties, { title: 'OwnBot', description: 'A bot as its owner sees it.' }),
    message: 'bot changed',
    errors: [
      fault('nothing to change', 'body', 'needs-one-of', {
        fields: Object.keys(ChangeBot.properties).join(', '),
      }),
    ],
    example: {
      request: { commands: [{ command: 'start', description: 'Say hello' }] },
      response: {
        userId: BOT,
        name: 'Weather',
        username: 'weather_bot',
        description: '',
        commands: [{ command: 'start', description: 'Say hello' }],
        plainText: false,
      },
    },
  },
  'GET /v1/webhook': {
    access,
    operationId: 'getWebhook',
    isExtension: true,
    summary: 'Get the webhook',
    description: 'Returns the webhook URL, the chosen events, and how the latest attempt went.',
    tags: ['Identity'],
    reply: Webhook,
    message: 'webhook',
    example: {
      response: { ...webhookExample, lastAttempt: { attempt: 1, at: NOW, status: 200 } },
    },
  },
  'PUT /v1/webhook': {
    access,
    operationId: 'setWebhook',
    isExtension: true,
    summary: 'Set the webhook',
    description: 'Sets the webhook URL and the chosen events; what is left out stays as it is.',
    tags: ['Identity'],
    body: SetWebhook,
    reply: Webhook,
    message: 'webhook set',
    errors: [
      fault('no public https URL', 'webhookUrl', 'webhook-url-scheme'),
      fault('nothing to set', 'body', 'needs-one-of', { fields: 'webhookUrl, events' }),
    ],
    example: { request: webhookExample, response: webhookExample },
  },
} as const satisfies Chapter<'actor'>;
