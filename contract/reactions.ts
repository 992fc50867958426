import { type Static, Type } from 'typebox';
import { ConversationId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';

/** All reactions of somebody to a message, each one emoji. */
export const OwnReactions = Type.Array(Type.String({ maxLength: 32 }), {
  maxItems: LIMITS.reactionsPerPerson,
  description: 'All that there are to be then, each a single emoji; an empty list takes them back.',
});

/** An emoji, and who reacted with it. */
export const Reaction = Type.Object(
  { emoji: Type.String(), userIds: Type.Array(UserId) },
  { title: 'Reaction', description: 'An emoji, and who reacted with it.' },
);

/** The reactions to a message by emoji, in the order of their first use. */
export const Reactions = Type.Object({
  version: Type.Integer({ description: 'A higher version is a newer state.' }),
  given: Type.Array(Reaction),
});

export type Reactions = Static<typeof Reactions>;

/** Body of `PUT /api/chat/conversations/:conversationId/messages/:msgId/reactions`: all of the person's own reactions. */
export const React = Type.Object({ emoji: OwnReactions });

export const ReactToBotMessage = Type.Object(
  { conversationId: ConversationId, emoji: OwnReactions },
  { title: 'ReactToMessage', description: 'The reactions of the bot to a message.' },
);

export const MessageReactions = Type.Object(
  { reactions: Type.Array(Reaction) },
  {
    title: 'MessageReactions',
    description: 'All reactions to the message, by emoji, in the order of their first use.',
  },
);
