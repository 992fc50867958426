import { type Static, Type } from 'typebox';
import { HIGHEST_LIMIT, PERSON_LIMITS } from '../accounts/person-limits.ts';
import { each, LATEST_TIME, visibleText } from '../fields.ts';
import { UserId } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** Query of a search: an id, a whole e-mail address, or the beginning of a name. */
export const OperatorSearch = Type.Object({ query: visibleText(254) });

/** Why an account cannot be signed in to, and until when. */
export const Suspension = Type.Object({
  reason: Type.String(),
  until: Type.Optional(
    Type.Integer({ description: 'Epoch milliseconds; omitted if it lasts until it is lifted.' }),
  ),
});

const limit = Type.Optional(Type.Integer({ minimum: 0, maximum: HIGHEST_LIMIT }));

/** Body of a person's limits: for omitted ones, the server's apply. */
export const PersonLimits = Type.Object(each(limit, ...PERSON_LIMITS), { additionalProperties: false });

export type PersonLimits = Static<typeof PersonLimits>;

export const ShownPersonLimits = Type.Object({
  own: PersonLimits,
  server: PersonLimits,
});

export type ShownPersonLimits = Static<typeof ShownPersonLimits>;

/** `data` of a person's sessions: the 100 most recently used. */
export const PersonSessions = Type.Object({
  sessions: Type.Array(
    Type.Object({
      userAgent: Type.String({ description: 'The `User-Agent` header at sign-in.' }),
      createdAt: Type.Integer(),
      lastSeenAt: Type.Integer({ description: 'Accurate to the minute.' }),
    }),
  ),
});

export type PersonSessions = Static<typeof PersonSessions>;

/** A person as operators see one, without anything that the person wrote. */
export const OperatedPerson = Type.Object({
  accountId: UserId,
  name: Type.String(),
  email: Type.String(),
  createdAt: Type.Integer(),
  lastSeenAt: Type.Optional(Type.Integer({ description: 'Omitted if there is no session.' })),
  sessions: Type.Integer(),
  isTwoFactorOn: Type.Boolean(),
  suspension: Type.Optional(Suspension),
  ownLimits: PersonLimits,
});

export type OperatedPerson = Static<typeof OperatedPerson>;

/** `data` of a search for people: 50 at most. */
export const OperatedPeople = Type.Object({ people: Type.Array(OperatedPerson) });

export const Suspend = Type.Object({
  reason: visibleText(LIMITS.operatorReasonLength, 'The person reads it.'),
  until: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LATEST_TIME,
      description: 'Epoch milliseconds, in the future; if omitted, it lasts until it is lifted.',
    }),
  ),
});

/** `data` of a password-reset link, which is shown only once. */
export const PasswordLink = Type.Object({ link: Type.String(), expiresAt: Type.Integer() });

/** `data` of a recovery code that replaces a lost second factor; it is shown only once. */
export const OneRecoveryCode = Type.Object({ recoveryCode: Type.String() });
