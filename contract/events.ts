import { type Static, Type } from 'typebox';
import { MsgId, UserId } from './ids.ts';
import { CONTENT_TYPES, type ContentType, Location } from './messages.ts';

/** What a bot can be told of a message (contract §6): `type` of the webhook's body and its `X-Service-Event` header. */
export type MessageEventType = 'message.received' | 'group_message.received';

/** A poll as an event shows it (contract §6, decisions: Webhooks): what was asked, without votes. */
export const EventPoll = Type.Object({
  id: Type.String(),
  question: Type.String(),
  options: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
  allowMultipleAnswers: Type.Boolean(),
  isAnonymous: Type.Boolean(),
});

/** See {@link EventPoll}. */
export type EventPoll = Static<typeof EventPoll>;

const messageFields = {
  msgId: MsgId,
  type: Type.Unsafe<ContentType | 'poll'>({ type: 'string', enum: [...CONTENT_TYPES, 'poll'] }),
  textMsg: Type.String({ description: 'The clear text; empty for every type but `text`.' }),
  fileUrl: Type.Optional(Type.String()),
  caption: Type.Optional(Type.String()),
  gifUrl: Type.Optional(Type.String({ description: 'The same URL as `fileUrl`, for type `gif`.' })),
  videoThumbnail: Type.Optional(Type.String()),
  location: Type.Optional(Location),
  poll: Type.Optional(EventPoll),
  replyToMsgId: Type.Optional(MsgId),
  from: UserId,
  sentAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  sandbox: Type.Optional(Type.Literal(true, { description: 'Only on events that the console simulated.' })),
};

/** `data` of `message.received` (contract §6). Fields that the message does not have are left out, never null. */
export const PrivateEventMessage = Type.Object({
  ...messageFields,
  chatId: UserId,
});

/** `data` of `group_message.received` (contract §6). `isMentioned` speaks of the bot that the event goes to. */
export const GroupEventMessage = Type.Object({
  ...messageFields,
  groupId: Type.String(),
  mentionedUserIds: Type.Array(UserId),
  isMentioned: Type.Boolean(),
});

/** `data` of either message event (contract §6). */
export type EventMessage = Static<typeof PrivateEventMessage> | Static<typeof GroupEventMessage>;
