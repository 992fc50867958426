import type { AuditChannel, AuditEntry, AuditPage } from '#contract/applications/audit.ts';
import { AFTER_ALL, pageOf, readCursor } from '#platform/http/cursor.ts';
import type { ApplicationDeps } from '../deps.ts';
import { type Owned, requireOwnApplication } from '../service.ts';

const PAGE = 50;

interface AuditRow extends Omit<AuditEntry, 'actor' | 'sessionId'> {
  /** Null: the operator. */
  actorId: string | null;
  sessionId: string | null;
}

/** Who changed what in an application, newest first. @throws ApiError 404; 400 if `before` is not an entryId */
export async function readAuditTrail(
  { db, accounts }: ApplicationDeps,
  own: Owned,
  before?: string,
): Promise<AuditPage> {
  const { ownerId } = await requireOwnApplication(db, own);
  const start = readCursor('aud', 'before', before, 'not-an-entry-id') ?? AFTER_ALL;
  const rows = await db<AuditRow[]>`
    select entry_id, at, action, actor_id, channel, session_id, details
    from audit_entries where app_id = ${own.appId} and entry_id < ${start}
    order by entry_id desc limit ${PAGE + 1}`;
  const { page, last } = pageOf(rows, PAGE);
  const actorOf = await accounts.findByIds(page.flatMap(({ actorId }) => actorId ?? []));
  const entries = page.map(
    ({ entryId, at, action, actorId, channel, sessionId, details }): AuditEntry => ({
      entryId,
      at,
      action,
      actor:
        actorId === null
          ? { kind: 'operator' }
          : {
              kind: kindOf({ channel, isOwner: actorId === ownerId }),
              userId: actorId,
              // A deleted account has no name.
              name: actorOf.get(actorId)?.name || actorId,
            },
      channel,
      ...(sessionId !== null && { sessionId }),
      details,
    }),
  );
  return { entries, ...(last && { nextBefore: last.entryId }) };
}

/** In the chat the actor is an administrator of a group, who may also be in the team. */
function kindOf({
  channel,
  isOwner,
}: {
  channel: AuditChannel;
  isOwner: boolean;
}): AuditEntry['actor']['kind'] {
  if (isOwner) return 'owner';
  return channel === 'chat' ? 'group-administrator' : 'teammate';
}
