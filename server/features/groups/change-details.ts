import type { ChangeDetails } from '#contract/groups.ts';
import { invalidArgument } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import { announceChange } from './announce.ts';
import { type GroupHook, note } from './notices.ts';
import { type GroupDetails, updateDetails } from './queries.ts';
import { type EditingSurface, refuseToEdit } from './rules.ts';
import { type GroupActor, lockGroupForActor } from './service.ts';

/**
 * Changes the given details of a group; omitted fields are unchanged. `description: ""` and `photoUrl: null` clear the
 * field.
 *
 * @throws ApiError 400 when no field is given, 404 group, 403 right
 */
export async function changeDetails(
  deps: Pick<Platform, 'db' | 'clock' | 'live'> & { hooks: readonly GroupHook[] },
  actor: GroupActor,
  { groupId, ...sent }: ChangeDetails,
  surface: EditingSurface,
): Promise<void> {
  const changes = readChanges(sent, actor.accountId);
  const isInfoOnly = changes.sendMessages === undefined && changes.editInfoOnlyAdmin === undefined;
  const { changed, show } = await deps.db.begin(async (tx) => {
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const refusal = refuseToEdit(group, member, { surface, isInfoOnly });
    if (refusal) throw refusal;
    const after = { ...group, ...changes };
    await updateDetails(tx, group, after);
    const isRenamed = after.name !== group.name;
    const notice = {
      kind: 'renamed',
      name: after.name,
      from: actor.accountId,
      at: deps.clock.now(),
    } as const;
    return { changed: after, show: isRenamed ? await note(tx, deps, group, notice) : undefined };
  });
  announceChange(deps, changed);
  show?.();
}

function readChanges(sent: Omit<ChangeDetails, 'groupId'>, accountId: string): Partial<GroupDetails> {
  const changes: Partial<GroupDetails> = {};
  if (sent.name != null) changes.name = sent.name;
  if (sent.description != null) changes.description = sent.description;
  if (sent.photoUrl === null) changes.photoUrl = null;
  else if (sent.photoUrl !== undefined) changes.photoUrl = requireFileUrl('photoUrl', sent.photoUrl);
  if (changes.photoUrl !== undefined) changes.photoSetBy = changes.photoUrl && accountId;
  if (sent.sendMessages != null) changes.sendMessages = sent.sendMessages;
  if (sent.editInfoOnlyAdmin != null) changes.editInfoOnlyAdmin = sent.editInfoOnlyAdmin;
  if (Object.keys(changes).length === 0) {
    throw invalidArgument('body', 'needs-one-of', {
      fields: 'name, description, photoUrl, sendMessages, editInfoOnlyAdmin',
    });
  }
  return changes;
}
