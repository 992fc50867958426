import { type Static, Type } from 'typebox';
import type english from '#locales/en.json';
import { id } from '../ids.ts';

/**
 * Everything that an audit trail records: each has a text there. Nothing records `scope.granted` and `scope.removed`
 * any more, but existing trails contain them.
 */
export type AuditAction = keyof (typeof english)['console']['auditAction'];

/** The details of a change; each name has a text. */
export type AuditDetails = {
  [D in keyof (typeof english)['console']['auditDetail'] | 'from' | 'to']?: string | number | string[];
};

/** The channels through which a change can be made. `command-line` is the operator's. */
export const AUDIT_CHANNELS = ['console', 'chat', 'management-bot', 'command-line', 'api'] as const;

export type AuditChannel = (typeof AUDIT_CHANNELS)[number];

/** One change of an application. It contains no secrets and no network addresses. */
export const AuditEntry = Type.Object({
  entryId: Type.String(),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  action: Type.Unsafe<AuditAction>(Type.String()),
  actor: Type.Object({
    kind: Type.Enum(['owner', 'teammate', 'group-administrator', 'operator'] as const),
    userId: Type.Optional(Type.String({ description: 'Omitted for the operator.' })),
    name: Type.Optional(Type.String()),
  }),
  channel: Type.Enum(AUDIT_CHANNELS),
  sessionId: Type.Optional(
    Type.String({
      description: 'The id from the list of sessions; omitted for changes made outside the console.',
    }),
  ),
  details: Type.Unsafe<AuditDetails>(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'What changed, such as `from` and `to` of a name.',
    }),
  ),
});

export type AuditEntry = Static<typeof AuditEntry>;

export const AuditQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of `GET …/audit`: newest first. */
export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type AuditPage = Static<typeof AuditPage>;
