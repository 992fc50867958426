import type { Chapter } from '../../endpoints.ts';
import { ADA, GROUP, MESSAGE, QUOTED } from '../../examples.ts';
import { SendGroupMessage } from '../../groups.ts';
import { SendMessage, SentMessage } from '../../messages.ts';
import { fault, refusal } from '../../refusals.ts';

const BOT_MESSAGES = { actors: ['bot'], scope: 'messages:send', confirmsKeys: true } as const;
const UNKNOWN_QUOTE = refusal('conversation.no-quoted-message');

/** The errors of a message to a group. */
export const GROUP_MESSAGE = [
  fault('mention of a non-member', 'mentionedUserIds', 'not-a-member'),
  refusal('group.not-a-member'),
  refusal('group.administrators-write'),
  refusal('group.creator-writes'),
  refusal('group.unknown'),
  UNKNOWN_QUOTE,
];

/** Messages of bots (contract §4 and §5). */
export const MESSAGES = {
  'POST /v1/messages': {
    access: BOT_MESSAGES,
    operationId: 'sendMessage',
    summary: 'Send a private message',
    description:
      'Sends text, media or a location to a user who has written to the bot. A bot cannot start a conversation, and ' +
      'cannot write to other bots.',
    tags: ['Messages'],
    body: SendMessage,
    reply: SentMessage,
    message: 'message sent',
    creates: 'msg',
    errors: [
      refusal('recipient.never-wrote'),
      refusal('recipient.blocked-bot'),
      refusal('recipient.is-bot', { field: 'to' }),
      refusal('recipient.unknown', { field: 'to' }),
      UNKNOWN_QUOTE,
    ],
    example: {
      request: { to: ADA, type: 'text', content: 'Sunny, 21 °C.', replyToMsgId: QUOTED },
      response: { msgId: MESSAGE },
    },
  },
  'POST /v1/messages/group': {
    access: BOT_MESSAGES,
    operationId: 'sendGroupMessage',
    summary: 'Send a group message',
    description:
      'Posts to a group that the bot is a member of. In a group with `sendMessages: false` the bot must be an ' +
      'administrator; in a broadcast list it must be the creator. Everybody mentioned must be a member.',
    tags: ['Messages'],
    body: SendGroupMessage,
    reply: SentMessage,
    message: 'message sent',
    creates: 'msg',
    errors: GROUP_MESSAGE,
    example: {
      request: {
        groupId: GROUP,
        type: 'image',
        fileUrl: 'https://cdn.example.com/map.png',
        caption: 'Where we meet, @Ada',
        mentionedUserIds: [ADA],
      },
      response: { msgId: MESSAGE },
    },
  },
} as const satisfies Chapter<'actor'>;
