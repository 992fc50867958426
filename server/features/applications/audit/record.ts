import type { AuditAction, AuditChannel, AuditEntry } from '#contract/applications/audit.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { insertAuditEntry } from './queries.ts';

/** Who changes an application, and through which channel. Without an owner it is the operator, on the command line. */
export interface Change {
  appId: string;
  ownerId?: string;
  /** Default: the console. */
  channel?: AuditChannel;
  sessionId?: string;
}

/** Records who changed what, in the transaction of the change. The details must not contain secrets. */
export async function recordAudit(
  tx: Tx,
  { clock, newId }: Pick<Platform, 'clock' | 'newId'>,
  { appId, ownerId, channel, sessionId }: Change,
  action: AuditAction,
  details: AuditEntry['details'] = {},
): Promise<void> {
  await insertAuditEntry(tx, {
    appId,
    entryId: newId('aud'),
    at: clock.now(),
    action,
    actorId: ownerId ?? null,
    channel: channel ?? (ownerId === undefined ? 'command-line' : 'console'),
    sessionId: sessionId ?? null,
    details,
  });
}
