import { type Static, Type } from 'typebox';
import { id } from '../ids.ts';

/** Everything that an audit trail records. */
export const AUDIT_ACTIONS = [
  'application.created',
  'application.renamed',
  'application.disabled',
  'application.reactivated',
  'application.deleted',
  'application.suspended',
  'application.unsuspended',
  'api-key.regenerated',
  'api-key.created',
  'api-key.changed',
  'api-key.revoked',
  // Recorded by versions whose console granted single scopes; existing trails contain them.
  'scope.granted',
  'scope.removed',
  'client-secret.regenerated',
  'webhook-secret.regenerated',
  'webhook-secret.overlap-ended',
  'webhook-url.set',
  'webhook-url.removed',
  'redirect-uri.added',
  'redirect-uri.removed',
  'openid.logout-url-set',
  'openid.logout-url-removed',
  'openid.logout-uri-added',
  'openid.logout-uri-removed',
  'quota.changed',
  'extension.switched-on',
  'extension.switched-off',
  'incoming-webhook.created',
  'incoming-webhook.renewed',
  'incoming-webhook.revoked',
  'bot.created',
  'bot.changed',
  'teammate.invited',
  'teammate.invitation-withdrawn',
  'teammate.joined',
  'teammate.role-changed',
  'teammate.removed',
  'teammate.left',
  'alert-contact.added',
  'alert-contact.removed',
  'alert-contact.muted',
  'alert-contact.unmuted',
  'alert-contact.tested',
  'alert-contact.confirmation-sent',
  'event.replayed',
  'events.recovered',
  'event.simulated',
  'webhook.pinged',
  'webhook.audited',
  'alerts.muted',
  'alerts.unmuted',
] as const;

/** One of {@link AUDIT_ACTIONS}. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The channels through which a change can be made. `command-line` is the operator's. */
export const AUDIT_CHANNELS = ['console', 'chat', 'management-bot', 'command-line'] as const;

/** One of {@link AUDIT_CHANNELS}. */
export type AuditChannel = (typeof AUDIT_CHANNELS)[number];

/** One change of an application. It contains no secrets and no network addresses. */
export const AuditEntry = Type.Object({
  entryId: Type.String(),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  action: Type.Enum(AUDIT_ACTIONS),
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
  details: Type.Record(Type.String(), Type.Unsafe<string | number | string[]>({}), {
    description: 'What changed, such as `from` and `to` of a name.',
  }),
});

export type AuditEntry = Static<typeof AuditEntry>;

/** Query of an audit trail. */
export const AuditQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of `GET …/audit`: newest first. */
export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type AuditPage = Static<typeof AuditPage>;
