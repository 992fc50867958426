import { OAUTH_SCOPES, type Scope } from '#contract/scopes.ts';
import { ABOUT_WEBHOOKS } from './webhooks.ts';

/** The version of the API (contract §9), not of the server. */
export const API_VERSION = '1.1.0';

const INTRODUCTION = `Bots, groups and broadcast lists, stories, polls and OAuth 2.0 of a chat platform.

Two kinds of caller use the API: a **bot**, with the API key of its application, and a **user** who consented, with an
OAuth 2.0 access token. Both are sent as \`Authorization: Bearer <token>\`.

A successful answer is \`{ status: "success", message, data, timestamp }\`, an error is
\`{ status: "error", code, message }\`. Only \`/oauth/token\`, \`/oauth/userinfo\` and the OAuth metadata answer as their
standards say. Unknown fields in a request body are ignored; a content field that the message’s \`type\` does not use is
an error. Operations with \`x-extension\` go beyond the platform’s contract.`;

/** Tags of the API in reading order, with the page of the guide for each. */
const TAGS = [
  ['Messages', 'Bots send private messages and group messages of 8 types.', 'concepts'],
  ['Groups', 'Bots and users create and administer groups and broadcast lists.', 'concepts'],
  ['Stories', 'Users publish, read and delete their own stories. Bots have none.', 'concepts'],
  ['Polls', 'Bots and users create polls, vote, and close the polls that they created.', 'concepts'],
  [
    'OAuth',
    'Authorization Code login with refresh token rotation, for applications that act for a user.',
    'oauth',
  ],
  ['Webhooks', ABOUT_WEBHOOKS, 'webhooks'],
  ['Events', 'The events of a bot, for bots without a public address for webhooks.', 'events'],
  ['Logs', 'What an application asked of the API, and how it was answered.', 'errors'],
  ['Identity', 'The account that a credential acts as, and people whom a bot knows.', 'concepts'],
] as const;

const SCOPES: Record<Exclude<Scope, 'messages:send' | 'bot:manage'>, string> = {
  profile: 'Read the user’s name and photo',
  'stories:read': 'Read the user’s stories',
  'stories:write': 'Publish and delete the user’s stories',
  'polls:write': 'Create polls, vote, and close polls as the user',
  'groups:manage': 'Create and manage groups and broadcast lists, and write in them, as the user',
};

const HEADERS = {
  'X-Request-Id': header('string', 'Id of the request; quote it when you report a problem.'),
  'RateLimit-Limit': header('integer', 'Requests per minute that this endpoint allows.'),
  'RateLimit-Remaining': header('integer', 'Requests left in the current window.'),
  'RateLimit-Reset': header('integer', 'Seconds until the window ends.'),
  'Retry-After': header('integer', 'Seconds to wait before trying again.'),
  'WWW-Authenticate': header('string', 'What is wrong with the credential (RFC 6750).'),
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 255 visible ASCII characters. The same key and body within 24 hours return the first answer instead of ' +
    'creating something twice; the same key with another body is a 409.',
  schema: { type: 'string' },
  example: '6b1f0c1e-6a57-4a2f-9d55-0c5d7a0e9f31',
} as const;

/** Placeholder for the server's address, which is known only once the server listens. */
export const ADDRESS = 'https://parley.example';

/** The document without the operations: the introduction, the server, tags, and the components that operations refer to. */
export function describeApi() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley Platform API',
      version: API_VERSION,
      summary: 'Bots, groups, stories, polls and OAuth 2.0 of a chat platform',
      description: INTRODUCTION,
      contact: { name: 'Documentation', url: `${ADDRESS}/docs/` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: ADDRESS }],
    tags: TAGS.map(([name, description, page]) => ({
      name,
      description,
      externalDocs: { description: 'Guide', url: `${ADDRESS}/docs/guide/${page}` },
    })),
    components: {
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`xk_live_…`): acts as the bot.',
        },
        oauth2: {
          type: 'oauth2',
          description: 'An access token (`xat_…`): acts as the user who consented.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${ADDRESS}/oauth/authorize`,
              tokenUrl: `${ADDRESS}/oauth/token`,
              refreshUrl: `${ADDRESS}/oauth/token`,
              scopes: Object.fromEntries(
                OAUTH_SCOPES.map((scope) => [scope, SCOPES[scope as keyof typeof SCOPES]]),
              ),
            },
          },
        },
      },
    },
  } as const;
}

function header(type: 'string' | 'integer', description: string) {
  return { description, schema: { type } } as const;
}
