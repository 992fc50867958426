import { type Static, Type } from 'typebox';
import { LIFETIMES } from '../limits.ts';

/** Which messages a person is notified of, in a conversation that is not muted. */
export const NOTIFY = ['all', 'mentions'] as const;

export type Notify = (typeof NOTIFY)[number];

/** A person's settings of a conversation; other members do not see them. */
export const ownSettings = {
  isMuted: Type.Boolean({ description: 'Whether the reader is not notified of its messages.' }),
  mutedUntil: Type.Optional(Type.Integer({ description: 'When the muting ends by itself.' })),
  notifyOf: Type.Enum(NOTIFY),
  hasSound: Type.Boolean(),
  pinnedAt: Type.Optional(Type.Integer({ description: 'When the reader pinned it to the top of the list.' })),
  archivedMsgId: Type.Optional(
    Type.String({
      description: 'Omitted unless the reader archived it. A message after this one brings it back.',
    }),
  ),
  settingsVersion: Type.Integer({ description: 'A higher version is a newer state of these settings.' }),
};

/** A person's settings of a conversation, sent to all of that person's open pages. */
export const ConversationSettings = Type.Object({ conversationId: Type.String(), ...ownSettings });

export type ConversationSettings = Static<typeof ConversationSettings>;

/** Body of `PATCH /api/chat/conversations/:conversationId`: at least one field. */
export const ChangeConversation = Type.Partial(
  Type.Object({
    isMuted: Type.Boolean(),
    mutedForSeconds: Type.Integer({
      minimum: 60,
      maximum: 366 * 86_400,
      description: 'With `isMuted`: for how long; if omitted, until it is changed.',
    }),
    notifyOf: Type.Enum(NOTIFY),
    hasSound: Type.Boolean(),
    isPinned: Type.Boolean({ description: 'A pinned conversation is not archived.' }),
    isArchived: Type.Boolean({ description: 'An archived conversation is not pinned.' }),
  }),
);

export type ChangeConversation = Static<typeof ChangeConversation>;

export type Lifetime = (typeof LIFETIMES)[number];

export const LifetimeDays = Type.Unsafe<Lifetime>({
  type: 'integer',
  enum: [...LIFETIMES],
  description: 'Days after which messages expire; omitted if only the setting of the server applies.',
});

/** Body of `PUT /api/chat/conversations/:conversationId/retention`: without `lifetimeDays`, messages no longer disappear. */
export const ChangeRetention = Type.Object({ lifetimeDays: Type.Optional(LifetimeDays) });
