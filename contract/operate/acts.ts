import { type Static, Type } from 'typebox';
import { visibleText } from '../fields.ts';
import { id, UserId } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** Everything that an operator can do, as named in the audit trail. */
export const OPERATOR_ACTS = [
  'operator.added',
  'operator.removed',
  'person.suspended',
  'person.suspension-lifted',
  'person.signed-out',
  'person.limits-changed',
  'person.deleted',
  'person.password-reset',
  'person.two-factor-disabled',
  'person.password-link-made',
  'person.recovery-code-made',
  'application.suspended',
  'application.unsuspended',
  'application.quota-changed',
  'report.decided',
  'account.added',
  'person.email-confirmed',
  'invitation.made',
  'invitation.revoked',
  'conversation.held',
  'conversation.released',
  'announcement.made',
  'announcement.ended',
  'maintenance.started',
  'maintenance.ended',
  'trail.exported',
] as const;

/** One of {@link OPERATOR_ACTS}. */
export type OperatorActName = (typeof OPERATOR_ACTS)[number];

/** Body of an act that requires a reason. */
export const WithReason = Type.Object({ reason: visibleText(LIMITS.operatorReasonLength) });

/** One act of an operator. It contains no secrets and no messages. */
export const OperatorAct = Type.Object({
  actId: Type.String(),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  act: Type.Enum(OPERATOR_ACTS),
  operator: Type.Optional(
    Type.Object({ accountId: UserId, name: Type.String() }, { description: 'Omitted for the command line.' }),
  ),
  subject: Type.String({ description: 'The id of what the act concerns.' }),
  details: Type.Record(Type.String(), Type.Unsafe<string | number>({})),
});

export type OperatorAct = Static<typeof OperatorAct>;

/** Query of the audit trail. */
export const OperatorActQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of the audit trail: newest first. */
export const OperatorActPage = Type.Object({
  acts: Type.Array(OperatorAct),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type OperatorActPage = Static<typeof OperatorActPage>;

/** `data` of `GET /api/operate/me`: the operator who is signed in. */
export const OperatorSelf = Type.Object({ accountId: UserId, name: Type.String() });
