import { AccountProfile, Me } from '../accounts/me.ts';
import { RequestPage, RequestQuery } from '../applications/monitoring.ts';
import { endpoints } from '../endpoints.ts';
import { ADA, BOT, NOW } from '../examples.ts';
import { UserInfo } from '../oauth.ts';
import { fault, refusal } from '../refusals.ts';
import { EVENTS } from './v1/events.ts';
import { GROUPS } from './v1/groups.ts';
import { MESSAGES } from './v1/messages.ts';
import { POLLS } from './v1/polls.ts';
import { SETUP } from './v1/setup.ts';
import { STORIES } from './v1/stories.ts';

/** The public API (contract §4 and §5), with its extensions. */
export const V1 = endpoints('actor', '', {
  ...GROUPS,
  ...MESSAGES,
  ...POLLS,
  ...STORIES,
  ...EVENTS,
  ...SETUP,
  'GET /v1/me': {
    access: { actors: ['bot', 'user'] },
    operationId: 'getMe',
    isExtension: true,
    summary: 'Get the current account',
    description:
      'Returns the account that the credential acts as: the bot of an API key, the user of an access token.',
    tags: ['Identity'],
    reply: Me,
    message: 'this is who you act as',
    example: {
      response: {
        userId: BOT,
        name: 'Weather',
        isBot: true,
        username: 'weather_bot',
        appId: 'app_01m7y78n4e0001c3f7g9h2jk',
        scopes: ['messages:send', 'groups:manage'],
      },
    },
  },
  'GET /v1/people/:userId': {
    access: { actors: ['bot'], scope: 'messages:send' },
    operationId: 'getProfile',
    isExtension: true,
    summary: 'Get a person’s profile',
    description:
      'Returns the name, username and picture of a person who has written to the bot, or of anybody in a group with it. ' +
      'Readers of a broadcast list do not learn of each other.',
    tags: ['Identity'],
    reply: AccountProfile,
    message: 'profile',
    errors: [refusal('recipient.not-known')],
    example: {
      response: {
        userId: ADA,
        isBot: false,
        name: 'Ada',
        username: 'ada_l',
        picture: 'https://cdn.example.com/ada.jpg',
      },
    },
  },
  'GET /oauth/userinfo': {
    access: { actors: ['user'], scope: 'profile', orScope: 'openid' },
    operationId: 'getUserInfo',
    summary: 'Get the user’s profile',
    description: 'Returns the id, name and picture of the user who consented, without an envelope.',
    tags: ['OAuth'],
    reply: UserInfo,
    isRaw: true,
    example: { response: { sub: ADA, name: 'Ada', picture: 'https://cdn.example.com/ada.jpg' } },
  },
  'GET /v1/requests': {
    access: { actors: ['bot'] },
    operationId: 'listRequests',
    isExtension: true,
    summary: 'List API requests',
    description:
      'Returns the latest API requests of the application, the newest first: route, status, duration and error. ' +
      'No body, no token, no address.',
    tags: ['Logs'],
    query: RequestQuery,
    reply: RequestPage,
    message: 'API requests, newest first',
    errors: [fault('invalid before', 'before', 'not-a-request-id')],
    example: {
      response: {
        requests: [
          {
            requestId: 'req_01m7y78nmd0006x4c9r2t7wz',
            at: NOW,
            caller: 'bot',
            method: 'POST',
            route: '/v1/messages',
            status: 201,
            durationMs: 3.4,
          },
        ],
      },
    },
  },
});
