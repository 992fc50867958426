import type { AuditChannel, AuditEntry, AuditPage } from '#contract/applications/audit.ts';
import { readCursor } from '#platform/http/cursor.ts';
import type { ApplicationDeps } from '../deps.ts';
import { type Owned, requireOwnApplication } from '../service.ts';
import { selectAuditEntries } from './record.ts';

const PAGE = 50;
const AFTER_ALL = '~';

/** Who changed what in an application, newest first. @throws ApiError 404; 400 if `before` is not an entryId */
export async function readAuditTrail(
  { db, accounts }: ApplicationDeps,
  own: Owned,
  before?: string,
): Promise<AuditPage> {
  const { ownerId } = await requireOwnApplication(db, own);
  const start = readCursor('aud', 'before', before, 'not-an-entry-id') ?? AFTER_ALL;
  const rows = await selectAuditEntries(db, own.appId, { before: start, limit: PAGE + 1 });
  const actors = await accounts.findAll([...new Set(rows.flatMap(({ actorId }) => actorId ?? []))]);
  const nameOf = new Map(actors.map(({ accountId, name }) => [accountId, name]));
  const entries = rows.slice(0, PAGE).map(
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
              name: nameOf.get(actorId) ?? '',
            },
      channel,
      ...(sessionId !== null && { sessionId }),
      details,
    }),
  );
  return { entries, ...(rows.length > PAGE && { nextBefore: (entries.at(-1) as AuditEntry).entryId }) };
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
