import { type Static, Type } from 'typebox';
import { id, MsgId, UserId } from '../ids.ts';

/** The highest count of unread messages: this number means as many or more. */
export const UNREAD_LIMIT = 100;

/** How far somebody has read a conversation. */
export const readState = {
  readMsgId: Type.Optional(MsgId),
  unreadCount: Type.Integer({
    maximum: UNREAD_LIMIT,
    description: `Messages of others after the read marker; ${UNREAD_LIMIT} means as many or more.`,
  }),
};

/** Body of `POST /api/chat/conversations/:conversationId/read`: the marker never moves back. */
export const MarkRead = Type.Object({ msgId: MsgId });

/** How far the reader is in a conversation, sent to all of the reader's open pages. `upTo` was the newest message then. */
export const ReadState = Type.Object({
  conversationId: Type.String(),
  ...readState,
  upTo: Type.Optional(MsgId),
});

export type ReadState = Static<typeof ReadState>;

/** How far somebody else is in a conversation; a message that was read counts as delivered. */
export const Receipt = Type.Object({
  userId: UserId,
  deliveredMsgId: Type.Optional(MsgId),
  readMsgId: Type.Optional(MsgId),
});

export type Receipt = Static<typeof Receipt>;

/** `data` of `GET /api/chat/conversations/:conversationId/receipts`: of other members who share receipts, if the reader does. */
export const Receipts = Type.Array(Receipt);

/** Body of `POST /api/chat/delivered`: the last message that a page of the person has received, by private conversation. */
export const MarkDelivered = Type.Object({
  upTo: Type.Array(Type.Object({ conversationId: id(), msgId: MsgId }), { minItems: 1, maxItems: 50 }),
});

export type MarkDelivered = Static<typeof MarkDelivered>;

/** `data` of `GET /api/chat/conversations/:conversationId/last-seen`: of the peer, if both sides show it; never of bots and groups. */
export const LastSeen = Type.Object({
  lastSeenAt: Type.Optional(Type.Integer({ description: 'To the minute.' })),
});

export type LastSeen = Static<typeof LastSeen>;
