import { Type } from 'typebox';
import { SignUpInvitation } from '../accounts.ts';
import { LATEST_TIME, visibleText } from '../fields.ts';
import { id } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** `data` of the invitations to sign up, the newest first. */
export const SignUpInvitations = Type.Object({ invitations: Type.Array(SignUpInvitation) });

export const MakeSignUpInvitation = Type.Object({
  note: Type.String({ maxLength: 100 }),
  uses: Type.Integer({ minimum: 1, maximum: 999_999 }),
  expiresAt: Type.Integer({
    minimum: 0,
    maximum: LATEST_TIME,
    description: 'Epoch milliseconds, in the future.',
  }),
});

/** `data` of a new invitation, with its link, which is shown only once. */
export const MadeSignUpInvitation = Type.Object({ ...SignUpInvitation.properties, link: Type.String() });

/** A conversation under legal hold: everything in it is kept. */
export const HeldConversation = Type.Object({
  conversationId: Type.String(),
  heldAt: Type.Integer({ description: 'Epoch milliseconds.' }),
});

/** `data` of the legal holds, the oldest first. */
export const HeldConversations = Type.Object({ holds: Type.Array(HeldConversation) });

/** Body of a legal hold: a conversation by its id. */
export const HoldConversation = Type.Object({
  conversationId: id(),
  reason: visibleText(LIMITS.operatorReasonLength),
});
