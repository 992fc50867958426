import type { Chapter } from '../../endpoints.ts';
import { ADA, BOT, GROUP, MESSAGE, NOW, QUOTED } from '../../examples.ts';
import { SendGroupMessage } from '../../groups.ts';
import { LIMITS } from '../../limits.ts';
import { UploadedFile, UploadFile, UploadForm } from '../../media.ts';
import {
  DeleteBotMessage,
  DeletedBotMessage,
  EditBotMessage,
  SendMessage,
  SendTyping,
  SentMessage,
  SentTyping,
  ShowDraft,
  ShownDraft,
} from '../../messages.ts';
import { MessageReactions, ReactToBotMessage } from '../../reactions.ts';
import { fault, refusal } from '../../refusals.ts';
import {
  GetStoredMessage,
  ListStoredMessages,
  StoredMessage,
  StoredMessages,
} from '../../webhooks/events.ts';

const BOT_MESSAGES = { actors: ['bot'], scope: 'messages:send', confirmsKeys: true } as const;
/** Not by a cached key, which only the statements of a message and of a draft confirm. */
const ABOUT_MESSAGES = { actors: ['bot'], scope: 'messages:send' } as const;
const UNKNOWN_CONVERSATION = refusal('conversation.unknown');
const UNKNOWN_MESSAGE = refusal('conversation.no-message');
const STORED = {
  msgId: MESSAGE,
  type: 'text',
  textMsg: 'Sunny, 23 °C.',
  replyToMsgId: QUOTED,
  from: BOT,
  chatId: ADA,
  sentAt: NOW,
  editedAt: NOW,
};
const REACTIONS = [{ emoji: '👍', userIds: [ADA, BOT] }];
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
  'POST /v1/messages/typing': {
    access: ABOUT_MESSAGES,
    operationId: 'sendTyping',
    isExtension: true,
    summary: 'Show that the bot is typing',
    description:
      'Shows on open pages that the bot is typing, for 6 seconds or until it writes: call it again while it takes longer. ' +
      'Nothing is stored. Not shown where the bot may not write, in broadcast lists and in groups of more than ' +
      `${LIMITS.receiptsGroupSize} members, nor to people who turned it off.`,
    tags: ['Messages'],
    body: SendTyping,
    reply: SentTyping,
    message: 'typing',
    errors: [UNKNOWN_CONVERSATION],
    example: { request: { conversationId: ADA }, response: { sent: true } },
  },
  'PUT /v1/messages/draft': {
    access: { ...BOT_MESSAGES, quotaTimes: 10 },
    operationId: 'showDraft',
    isExtension: true,
    summary: 'Show a message while it is written',
    description:
      'Shows the text so far on open pages of the conversation: call it again with more, then send the message as usual, with the ' +
      'same `replyToMsgId`, which replaces the draft. Only that message is stored, counted as unread and notified. A draft ' +
      `disappears after ${LIMITS.draftSeconds} seconds without another call; with \`keepIfLost\` it becomes a message then. Pages show at most 10 updates a second, and the quota is ten times ` +
      `that of other endpoints. Not shown in broadcast lists and in groups of more than ${LIMITS.receiptsGroupSize} members.\n\n` +
      'A body of the type `application/x-ndjson` has such an object in each of its lines: while they arrive, the newest line is ' +
      'shown as a call of its own would show it, and the whole request, of 10 minutes at most, counts as one. It is answered when ' +
      'it ends, or at the first line that is refused.',
    tags: ['Messages'],
    linesEveryMs: 100,
    body: ShowDraft,
    reply: ShownDraft,
    message: 'draft shown',
    errors: [
      refusal('recipient.blocked-bot'),
      refusal('group.administrators-write'),
      refusal('group.creator-writes'),
      UNKNOWN_CONVERSATION,
      refusal('http.too-many-bodies', { count: 200 }),
    ],
    example: {
      request: { conversationId: ADA, content: 'Tomorrow will be **sun', replyToMsgId: QUOTED },
      response: { shown: true },
    },
  },
  'POST /v1/uploads': {
    access: ABOUT_MESSAGES,
    operationId: 'uploadFile',
    isExtension: true,
    summary: 'Upload a file',
    description:
      'Stores a file on this server: messages, groups, stories and the picture of a bot take its `fileUrl`. Anybody who has the link ' +
      'can read the file. ' +
      `A file that none of them refers to within ${LIMITS.unusedUploadHours} hours is deleted. Each bot may upload as much in a ` +
      'day as a person.',
    tags: ['Messages'],
    query: UploadFile,
    form: UploadForm,
    reply: UploadedFile,
    message: 'file uploaded',
    errors: [
      fault('two files', 'file', 'repeated'),
      fault('a file of another type', 'type', 'not-displayable', { kind: 'image' }),
      refusal('media.too-many', { count: LIMITS.uploadsAtOnce }),
      refusal('media.day-is-full'),
    ],
    example: {
      request: { file: 'map.png' },
      response: {
        type: 'image',
        fileUrl: 'https://parley.example/media/3f9K0v5m2c8x7Q1t6w4z8b2n4rs/map.png',
        contentType: 'image/png',
        fileName: 'map.png',
        size: 48_213,
      },
    },
  },
  'GET /v1/messages/:msgId': {
    access: ABOUT_MESSAGES,
    operationId: 'getMessage',
    isExtension: true,
    summary: 'Read a message',
    description:
      'Returns a message of a conversation that the bot is in, whoever wrote it; in a group, of the time since the bot joined, and ' +
      'for a bot that is quiet in groups only if it concerns the bot.',
    tags: ['Messages'],
    query: GetStoredMessage,
    reply: StoredMessage,
    message: 'message',
    errors: [refusal('message.unreadable'), UNKNOWN_CONVERSATION, UNKNOWN_MESSAGE],
    example: { response: STORED },
  },
  'GET /v1/conversations/:conversationId/messages': {
    access: ABOUT_MESSAGES,
    operationId: 'listMessages',
    isExtension: true,
    summary: 'Read a conversation',
    description:
      'Returns the messages of a conversation that the bot is in, whoever wrote them, newest first; in a group, those of the ' +
      'time since the bot joined, and for a bot that is quiet in groups only those that concern it. Deleted messages are left out, so that a page may have fewer than the others: pass ' +
      '`nextBefore` as `before` until it is missing.',
    tags: ['Messages'],
    query: ListStoredMessages,
    reply: StoredMessages,
    message: 'messages, newest first',
    errors: [UNKNOWN_CONVERSATION],
    example: { response: { messages: [STORED], nextBefore: MESSAGE } },
  },
  'PATCH /v1/messages/:msgId': {
    access: ABOUT_MESSAGES,
    operationId: 'editMessage',
    isExtension: true,
    summary: 'Edit a message of the bot',
    description:
      'Changes the text of a message that the bot wrote, or the caption of its image, video or document, in the 48 hours after ' +
      'it was sent. Everybody sees that it was edited. Events that were sent are not sent again.',
    tags: ['Messages'],
    body: EditBotMessage,
    reply: StoredMessage,
    message: 'message edited',
    errors: [
      fault('a field that the type does not use', 'caption', 'not-of-type'),
      refusal('message.no-text'),
      refusal('message.too-old', { count: LIMITS.changeHours }),
      refusal('recipient.blocked-bot'),
      refusal('group.administrators-write'),
      refusal('group.creator-writes'),
      UNKNOWN_CONVERSATION,
      UNKNOWN_MESSAGE,
    ],
    example: {
      request: { conversationId: ADA, content: 'Sunny, 23 °C.' },
      response: STORED,
    },
  },
  'PUT /v1/messages/:msgId/reactions': {
    access: ABOUT_MESSAGES,
    operationId: 'reactToMessage',
    isExtension: true,
    summary: 'React to a message',
    description:
      'Sets the reactions of the bot to a message that it can read, whoever wrote it. Those of others stay. People see them at ' +
      'once; nobody is notified.',
    tags: ['Messages'],
    body: ReactToBotMessage,
    reply: MessageReactions,
    message: 'reactions changed',
    errors: [
      fault('not an emoji', 'emoji.0', 'not-an-emoji'),
      refusal('message.too-many-reactions', { count: LIMITS.reactionsPerMessage }),
      refusal('message.no-reactions'),
      refusal('message.unreadable'),
      refusal('recipient.blocked-bot'),
      UNKNOWN_CONVERSATION,
      UNKNOWN_MESSAGE,
    ],
    example: {
      request: { conversationId: ADA, emoji: ['👍'] },
      response: { reactions: REACTIONS },
    },
  },
  'DELETE /v1/messages/:msgId': {
    access: ABOUT_MESSAGES,
    operationId: 'deleteMessage',
    isExtension: true,
    summary: 'Delete a message of the bot',
    description:
      'Deletes a message that the bot wrote for everybody, in the 48 hours after it was sent; as an administrator of the group, ' +
      'at any time. A line that says so stays in its place, and an event that was not sent yet is dropped.',
    tags: ['Messages'],
    body: DeleteBotMessage,
    reply: DeletedBotMessage,
    message: 'message deleted',
    errors: [
      refusal('message.too-old', { count: LIMITS.changeHours }),
      UNKNOWN_CONVERSATION,
      UNKNOWN_MESSAGE,
    ],
    example: { request: { conversationId: ADA }, response: { deleted: true } },
  },
} as const satisfies Chapter<'actor'>;
