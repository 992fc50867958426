import { type Static, Type } from 'typebox';
import { GroupId, MsgId, UserId } from './ids.ts';
import { bodyWithContent, Location } from './messages.ts';
import { Poll } from './polls.ts';

/** A message as people's clients see it. Fields that the message does not have are left out. */
export const ChatMessage = Type.Object({
  msgId: MsgId,
  conversationId: Type.String(),
  from: UserId,
  type: Type.String(),
  content: Type.Optional(Type.String()),
  fileUrl: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String()),
  caption: Type.Optional(Type.String()),
  location: Type.Optional(Location),
  poll: Type.Optional(Poll),
  replyToMsgId: Type.Optional(MsgId),
  mentionedUserIds: Type.Optional(Type.Array(UserId)),
  sentAt: Type.Integer(),
});

/** See {@link ChatMessage}. */
export type ChatMessage = Static<typeof ChatMessage>;

/** Whom a person talks to, as shown: a deleted bot is called "Deleted bot". */
export const Peer = Type.Object({
  userId: UserId,
  name: Type.String(),
  isBot: Type.Boolean(),
  isDeleted: Type.Boolean(),
  username: Type.Optional(Type.String()),
  pictureUrl: Type.Optional(Type.String()),
});

/** See {@link Peer}. */
export type Peer = Static<typeof Peer>;

/** A group or broadcast list as its members see it. */
export const ShownGroup = Type.Object({
  groupId: GroupId,
  name: Type.String(),
  description: Type.String(),
  photoUrl: Type.Optional(Type.String()),
  isBroadcast: Type.Boolean(),
  sendMessages: Type.Boolean(),
  editInfoOnlyAdmin: Type.Boolean(),
  creatorId: UserId,
  memberCount: Type.Integer(),
});

/** See {@link ShownGroup}. */
export type ShownGroup = Static<typeof ShownGroup>;

/** One entry of a person's list of conversations. */
export const Conversation = Type.Object({
  conversationId: Type.String(),
  kind: Type.Union([Type.Literal('private'), Type.Literal('group')]),
  peer: Type.Optional(Peer),
  group: Type.Optional(ShownGroup),
  isBlocked: Type.Boolean(),
  lastMessage: Type.Optional(ChatMessage),
});

/** See {@link Conversation}. */
export type Conversation = Static<typeof Conversation>;

/** Body of `POST /api/chat/messages`: a person writes to a bot or a person. */
export const WriteMessage = bodyWithContent({ to: UserId });
