import { type Static, Type } from 'typebox';
import type english from '#locales/en.json';
import type { PersonLimit } from '../accounts/person-limits.ts';
import { visibleText } from '../fields.ts';
import { id, UserId } from '../ids.ts';
import type { Language } from '../languages.ts';
import { LIMITS } from '../limits.ts';
import type { AddProvider } from './providers.ts';

/** Everything that an operator can do, as named in the audit trail: each has a text there. */
export type OperatorActName = keyof (typeof english)['operate']['actName'];

/** Those with a button in the console, whose texts stand by their names. */
export type ActWithButton = keyof (typeof english)['operate']['actButton'];

/** A detail that the audit trail has of an act besides its subject; each name has a text. */
export type ActDetail =
  | keyof (typeof english)['operate']['actDetail']
  | PersonLimit
  | keyof AddProvider
  | Language;

type DetailValue = string | number | boolean;

/** The details of an act: values, and what was changed from one to another; a missing one means that none was set. */
export type ActDetails = { [D in ActDetail]?: DetailValue | { from?: DetailValue; to?: DetailValue } };

/** Body of an act that requires a reason. */
export const WithReason = Type.Object({ reason: visibleText(LIMITS.operatorReasonLength) });

/** One act of an operator. It contains no secrets and no messages. */
export const OperatorAct = Type.Object({
  actId: Type.String(),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  act: Type.Unsafe<OperatorActName>(Type.String()),
  operator: Type.Optional(
    Type.Object(
      { accountId: UserId, name: Type.String() },
      { description: 'Omitted for the command line and for sign-in providers.' },
    ),
  ),
  provider: Type.Optional(
    Type.Object(
      { providerId: id(), name: Type.String() },
      { description: 'The sign-in provider that acted on one of its people (SCIM).' },
    ),
  ),
  subject: Type.String({ description: 'The id of what the act concerns.' }),
  subjectName: Type.Optional(
    Type.String({ description: 'The name of the person, application or sign-in provider, if there is one.' }),
  ),
  details: Type.Unsafe<ActDetails>(Type.Record(Type.String(), Type.Unknown())),
});

export type OperatorAct = Static<typeof OperatorAct>;

export const OperatorActQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of the audit trail: newest first. */
export const OperatorActPage = Type.Object({
  acts: Type.Array(OperatorAct),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type OperatorActPage = Static<typeof OperatorActPage>;

/** `data` of `GET /api/auth/operating`: for an operator, what there is to do. */
export const Operating = Type.Object({
  operator: Type.Optional(Type.Object({ openReports: Type.Integer() })),
});

/** `data` of `GET /api/operate/me`: the operator who is signed in. */
export const OperatorSelf = Type.Object({ accountId: UserId, name: Type.String() });
