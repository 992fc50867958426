import type { AuditAction, AuditChannel, AuditEntry } from '#contract/applications/audit.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';

/** Who changes an application, and through which channel. Without an actor it is the operator, on the command line. */
export interface Change {
  appId: string;
  actorId?: string;
  /** Default: the console. */
  channel?: AuditChannel;
  sessionId?: string;
}

/** Records who changed what, in the transaction of the change. The details must not contain secrets. */
export async function recordAudit(
  tx: Tx,
  { clock, newId }: Pick<Platform, 'clock' | 'newId'>,
  { appId, actorId, channel, sessionId }: Change,
  action: AuditAction,
  details: AuditEntry['details'] = {},
): Promise<void> {
  const row = {
    ...{ appId, entryId: newId('aud'), at: clock.now(), action },
    ...{ actorId: actorId ?? null, sessionId: sessionId ?? null },
    channel: channel ?? (actorId === undefined ? 'command-line' : 'console'),
    details: tx.json(details),
  };
  await tx`insert into audit_entries ${tx(row)}`;
}
