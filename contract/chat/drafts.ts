import { type Static, Type } from 'typebox';
import { Quote } from '../chat.ts';
import { MsgId, UserId } from '../ids.ts';
import { LIMITS } from '../limits.ts';

const text = Type.String({ maxLength: LIMITS.draftLength });
const mentioned = Type.Optional(
  Type.Record(Type.String({ maxLength: LIMITS.groupNameLength }), UserId, {
    maxProperties: LIMITS.mentions,
    description: 'Members whose names were completed: the userId by the name as it appears in the text.',
  }),
);

/** How a person found somebody: exactly one of the two. */
const Finding = Type.Object({
  username: Type.Optional(Type.String()),
  inviteToken: Type.Optional(Type.String()),
});

export type Finding = Static<typeof Finding>;

/** Body of `PUT /api/chat/conversations/:conversationId/draft`: the draft. A draft without text and quote is deleted. */
export const KeepDraft = Type.Object({
  text,
  replyToMsgId: Type.Optional(MsgId),
  mentioned,
  /** The other side of a private conversation that has not started yet. */
  finding: Type.Optional(Finding),
});

export type KeepDraft = Static<typeof KeepDraft>;

/** A message that a person has started to write. */
const DraftContent = Type.Object({ text, quote: Type.Optional(Quote), mentioned });

export type Draft = Static<typeof DraftContent>;

/** The draft of a conversation; missing once it is deleted or sent. */
export const KeptDraft = Type.Object({
  conversationId: Type.String(),
  version: Type.Integer({ description: 'A higher version is a newer state.' }),
  draft: Type.Optional(DraftContent),
});

export type KeptDraft = Static<typeof KeptDraft>;
