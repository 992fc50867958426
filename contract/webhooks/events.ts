import { type Static, Type } from 'typebox';
import { RECEIVED_TYPES } from '../choices.ts';
import { ConversationId, GroupId, MsgId, QuotedMsgId, UserId } from '../ids.ts';
import { Location } from '../messages.ts';
import { Reaction } from '../reactions.ts';

/** A poll as an event shows it (contract §6, decisions: Webhooks): the question and options, without votes. */
export const EventPoll = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    options: Type.Array(
      Type.Object({ id: Type.String(), text: Type.String() }, { title: 'EventPollOption' }),
    ),
    allowMultipleAnswers: Type.Boolean(),
    isAnonymous: Type.Boolean(),
  },
  { title: 'EventPoll', description: 'A poll as an event shows it, without votes.' },
);

export type EventPoll = Static<typeof EventPoll>;

const messageFields = {
  msgId: MsgId,
  type: Type.Unsafe<(typeof RECEIVED_TYPES)[number]>({
    type: 'string',
    enum: [...RECEIVED_TYPES],
    title: 'MessageType',
    description: 'The type of a message.',
  }),
  textMsg: Type.String({ description: 'The text in clear; empty for every type but `text`.' }),
  fileUrl: Type.Optional(Type.String()),
  caption: Type.Optional(Type.String()),
  gifUrl: Type.Optional(Type.String({ description: 'The same URL as `fileUrl`, for type `gif`.' })),
  videoThumbnail: Type.Optional(Type.String()),
  location: Type.Optional(Location),
  poll: Type.Optional(EventPoll),
  replyToMsgId: Type.Optional(
    Type.String({ ...QuotedMsgId, description: 'The message that this one quotes.' }),
  ),
  from: Type.String({ ...UserId, description: 'The sender.' }),
  sentAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  sandbox: Type.Optional(Type.Literal(true, { description: 'Only on simulated events.' })),
};

/** `data` of `message.received` (contract §6). Fields that the message does not have are omitted, never null. */
export const PrivateEventMessage = Type.Object(
  {
    ...messageFields,
    chatId: Type.String({ ...UserId, description: 'The userId of the person: send replies to it.' }),
  },
  {
    title: 'ReceivedMessage',
    description: 'A private message to the bot. Fields that it does not have are left out.',
  },
);

/** `data` of `group_message.received` (contract §6). `isMentioned` refers to the bot that receives the event. */
export const GroupEventMessage = Type.Object(
  {
    ...messageFields,
    groupId: Type.String({ ...GroupId }),
    mentionedUserIds: Type.Array(UserId),
    isMentioned: Type.Boolean({ description: 'Whether the bot is mentioned.' }),
  },
  {
    title: 'ReceivedGroupMessage',
    description: 'A message in a group of the bot. Fields that it does not have are left out.',
  },
);

const { sandbox: _, ...storedFields } = messageFields;

/** A message of a conversation of the bot, whoever wrote it: what events say of it (an extension of the contract). */
export const StoredMessage = Type.Object(
  {
    ...storedFields,
    chatId: Type.Optional(
      Type.String({ ...UserId, description: 'Private messages only: the userId of the person.' }),
    ),
    groupId: Type.Optional(Type.String({ ...GroupId, description: 'Group messages only.' })),
    mentionedUserIds: Type.Optional(Type.Array(UserId, { description: 'Group messages only.' })),
    isMentioned: Type.Optional(
      Type.Boolean({ description: 'Group messages only: whether the bot is mentioned.' }),
    ),
    editedAt: Type.Optional(
      Type.Integer({ description: 'When its text was last edited, in epoch milliseconds.' }),
    ),
    quickReplyValue: Type.Optional(
      Type.String({
        description:
          'Only of an answer that a button of `quickReplies` wrote: the `value` of the button, or its label if it has none.',
      }),
    ),
    reactions: Type.Optional(
      Type.Array(Reaction, {
        description: 'By emoji, in the order of their first use; left out if there are none.',
      }),
    ),
  },
  {
    title: 'StoredMessage',
    description: 'A message of a conversation of the bot, with the fields that events have.',
  },
);

export type StoredMessage = Static<typeof StoredMessage>;

export const GetStoredMessage = Type.Object({ conversationId: ConversationId });

export const ListStoredMessages = Type.Object({
  before: Type.Optional(Type.String({ ...MsgId, description: '`nextBefore` of the previous page.' })),
});

export const StoredMessages = Type.Object(
  {
    messages: Type.Array(StoredMessage),
    nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
  },
  { title: 'StoredMessages', description: 'A page of a conversation of the bot, newest first.' },
);

export type StoredMessages = Static<typeof StoredMessages>;

export type EventMessage = Static<typeof PrivateEventMessage> | Static<typeof GroupEventMessage>;

export const MessageReceived = Type.Object(
  { type: Type.Literal('message.received'), data: PrivateEventMessage },
  { title: 'MessageReceivedEvent', description: 'Somebody wrote to the bot in private.' },
);

export const GroupMessageReceived = Type.Object(
  { type: Type.Literal('group_message.received'), data: GroupEventMessage },
  {
    title: 'GroupMessageReceivedEvent',
    description: 'Somebody wrote in a group that the bot is a member of.',
  },
);

export const Ping = Type.Object(
  {
    type: Type.Literal('ping'),
    data: Type.Object(
      {
        appId: Type.String({ description: 'The application that the webhook belongs to.' }),
        sentAt: Type.Integer({ description: 'Epoch milliseconds.' }),
        message: Type.String({ description: 'A text to show.' }),
      },
      { title: 'Ping' },
    ),
  },
  { title: 'PingEvent', description: 'A test of the webhook, sent from the console.' },
);
