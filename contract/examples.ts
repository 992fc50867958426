import type { OAUTH } from './api/oauth.ts';
import type { PUBLIC } from './api/public.ts';
import type { V1 } from './api/v1.ts';
import { OAUTH_SCOPES } from './scopes.ts';
import type { EventType } from './webhooks.ts';

type Entries = typeof V1.endpoints & typeof OAUTH.endpoints & typeof PUBLIC.endpoints;
type OperationIdOf<E> = E extends { operationId: infer Id extends string } ? Id : never;

/** A request with the `data` of its answer; the whole answer where the endpoint is raw. */
export interface Example {
  request?: object;
  response: object;
}

const ADA = 'usr_01m7y78n3b0002we972feeae';
const BEN = 'usr_01m7y7am2c0004q8h5j3kd2t';
const BOT = 'usr_01m7y78n5d0003zjx81m4c7v';
const GROUP = 'grp_01m7y7b3kx0001t9r2dq6e5w';
const MESSAGE = 'msg_01m7y78nmd0006nmrk1jnnwe';
const QUOTED = 'msg_01m7y78nqz000t31zjjc8tsq';
const STORY = 'sty_01m7y7d8vr00011h6t9k3m2p';
const APP = 'app_01m7y77x4e0001c8v3n6b2qz';
const NOW = 1795236845210;

const received = { msgId: MESSAGE, type: 'text', textMsg: 'Hi!', from: ADA };

/** The body of each event (contract §6). */
export const EVENT_EXAMPLES: Record<EventType, object> = {
  'message.received': {
    type: 'message.received',
    data: { ...received, sentAt: NOW, chatId: ADA },
  },
  'group_message.received': {
    type: 'group_message.received',
    data: { ...received, sentAt: NOW, groupId: GROUP, mentionedUserIds: [BOT], isMentioned: true },
  },
  ping: {
    type: 'ping',
    data: {
      appId: APP,
      sentAt: NOW,
      message: 'Your webhook works: answer 2xx once you have verified the signature.',
    },
  },
};

const poll = {
  id: MESSAGE,
  msgId: MESSAGE,
  question: 'Tea or coffee?',
  options: [
    { id: 'opt_01m7y7c2fa0001w4s8p6v3ne', text: 'Tea', votes: 1, voters: [ADA] },
    { id: 'opt_01m7y7c2fa0002b7x5z9d1qk', text: 'Coffee', votes: 0, voters: [] },
  ],
  allowMultipleAnswers: false,
  isAnonymous: false,
  closed: false,
  creatorId: BOT,
  totalVotes: 1,
  totalVoters: 1,
  createdAt: NOW,
  myOptionIds: [],
};

/** An example of every operation of the tables; a test checks each against its schema. */
export const EXAMPLES: Record<OperationIdOf<Entries[keyof Entries]>, Example> = {
  getMe: {
    response: {
      userId: BOT,
      name: 'Weather',
      isBot: true,
      username: 'weather_bot',
      appId: 'app_01m7y78n4e0001c3f7g9h2jk',
      scopes: ['messages:send', 'groups:manage'],
    },
  },
  listRequests: {
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
  listEvents: {
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
  simulateEvent: {
    request: { event: 'message.received', type: 'image' },
    response: { eventId: 'dlv_01m7y78nmd0006x4c9r2t7wz', msgId: MESSAGE },
  },
  acknowledgeEvents: {
    request: { upTo: '1041', failed: [{ cursor: '1040', attempts: 8, error: 'TypeError' }] },
    response: { acknowledged: true },
  },
  listDeadLetters: {
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
  replayEvents: {
    request: { eventIds: ['dlv_01m7y78nmd0006x4c9r2t7wz'] },
    response: { replayed: 1 },
  },
  sendMessage: {
    request: { to: ADA, type: 'text', content: 'Sunny, 21 °C.', replyToMsgId: QUOTED },
    response: { msgId: MESSAGE },
  },
  sendGroupMessage: {
    request: {
      groupId: GROUP,
      type: 'image',
      fileUrl: 'https://cdn.example.com/map.png',
      caption: 'Where we meet, @Ada',
      mentionedUserIds: [ADA],
    },
    response: { msgId: MESSAGE },
  },
  broadcast: {
    request: { groupId: GROUP, content: 'We open at nine.' },
    response: { msgId: MESSAGE },
  },
  createGroup: {
    request: { name: 'Neighbours', description: 'Of number 12', members: [ADA, BEN] },
    response: { groupId: GROUP },
  },
  deleteGroup: { request: { groupId: GROUP }, response: { deleted: true } },
  addGroupMembers: {
    request: { groupId: GROUP, memberIds: [ADA, BEN] },
    response: { added: true },
  },
  removeGroupMember: {
    request: { groupId: GROUP, memberId: BEN },
    response: { removed: true },
  },
  changeGroupRole: {
    request: { groupId: GROUP, memberId: ADA, isAdmin: true },
    response: { updated: true },
  },
  changeGroupDetails: {
    request: { groupId: GROUP, description: '', sendMessages: false },
    response: { updated: true },
  },
  listGroupMembers: {
    response: {
      members: [
        { userId: BOT, isBot: true, isAdmin: true, joinedAt: NOW },
        { userId: ADA, isBot: false, isAdmin: false, joinedAt: NOW },
      ],
    },
  },
  createPoll: {
    request: { groupId: GROUP, question: 'Tea or coffee?', options: ['Tea', 'Coffee'] },
    response: { msgId: MESSAGE, poll },
  },
  votePoll: {
    request: { messageId: MESSAGE, optionId: 'opt_01m7y7c2fa0001w4s8p6v3ne' },
    response: { poll: { ...poll, myOptionIds: ['opt_01m7y7c2fa0001w4s8p6v3ne'] } },
  },
  closePoll: {
    request: { messageId: MESSAGE },
    response: { poll: { ...poll, closed: true, closedAt: NOW } },
  },
  addToStory: {
    request: { type: 'image', imageUrl: 'https://cdn.example.com/sunset.jpg' },
    response: { storyId: STORY },
  },
  listOwnStories: {
    response: [
      {
        storyId: STORY,
        texts: [],
        images: [
          {
            id: 'elm_01m7y7d8vr0002k5n3q8s4vx',
            createdAt: NOW,
            imageUrl: 'https://cdn.example.com/sunset.jpg',
          },
        ],
        videos: [],
      },
    ],
  },
  deleteStory: { request: { storyId: STORY }, response: { deleted: true } },
  issueToken: {
    request: {
      grant_type: 'refresh_token',
      refresh_token: 'xrt_01a2b3…',
      client_id: APP,
      client_secret: 'xcs_4c5d6e…',
    },
    response: {
      access_token: 'xat_01a2b3…',
      refresh_token: 'xrt_01a2b3…',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'profile stories:read',
    },
  },
  getUserInfo: { response: { sub: ADA, name: 'Ada', picture: 'https://cdn.example.com/ada.jpg' } },
  getAuthorizationServerMetadata: {
    response: {
      issuer: 'https://parley.example',
      authorization_endpoint: 'https://parley.example/oauth/authorize',
      token_endpoint: 'https://parley.example/oauth/token',
      userinfo_endpoint: 'https://parley.example/oauth/userinfo',
      revocation_endpoint: 'https://parley.example/oauth/revoke',
      scopes_supported: [...OAUTH_SCOPES],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    },
  },
  revokeToken: {
    request: { token: 'xrt_01a2b3…', client_id: APP, client_secret: 'xcs_4c5d6e…' },
    response: { revoked: true },
  },
};

/** An answer in the envelope. */
export function success(message: string, data: object): object {
  return { status: 'success', message, data, timestamp: NOW };
}
