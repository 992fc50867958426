import { CHAT } from '#contract/api/chat.ts';
import { V1 } from '#contract/api/v1.ts';
import type { ChangeDetails } from '#contract/groups.ts';
import { invalidArgument } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import { serve } from '#platform/http/serve.ts';
import { announceChange, announceDeleted } from './announce.ts';
import { createGroup } from './create.ts';
import { addMembers } from './members/add-members.ts';
import { changeRole } from './members/change-role.ts';
import { removeMember } from './members/depart.ts';
import { listGroups, listMembers, showMembers } from './members/list-members.ts';
import { deleteAllMembers, deleteListings, selectMemberBots } from './members/queries.ts';
import { note, noteMovement } from './notices.ts';
import { type GroupDetails, updateDetails } from './queries.ts';
import { type EditingSurface, refuseToEdit } from './rules.ts';
import {
  endGroup,
  type GroupActor,
  type GroupDeps,
  lockGroupForActor,
  lockGroupToAdminister,
  photoUseOf,
} from './service.ts';

/**
 * The endpoints under `/v1/groups` except for the broadcast (contract §4), and groups for a person's client: creation and
 * administration. People leave by removing themselves.
 */
export function groupRoutes(deps: GroupDeps) {
  return [
    serve(V1, {
      'POST /v1/groups': ({ actor, body, reserved }) =>
        deps.media.withClaimedLinks(body, reserved.id, (group) => createGroup(deps, actor, group, reserved)),
      'DELETE /v1/groups/delete': ({ actor, body }) => deleteGroup(deps, actor, body.groupId),
      'POST /v1/groups/members': ({ actor, body }) => addMembers(deps, actor, body),
      'GET /v1/groups': ({ actor, query }) => listGroups(deps, actor.accountId, query),
      'GET /v1/groups/members': ({ actor, query }) => listMembers(deps, actor, query),
      'POST /v1/groups/members/remove': ({ actor, body }) => removeMember(deps, actor, body),
      'PATCH /v1/groups/members/role': ({ actor, body }) => changeRole(deps, actor, body),
      'PATCH /v1/groups/details': ({ actor, body }) =>
        deps.media.withClaimedLinks(body, body.groupId, (details) =>
          changeDetails(deps, actor, details, 'api'),
        ),
    }),
    serve(CHAT, {
      'POST /groups': ({ person, body, reserved }) =>
        deps.media.withClaim(body, [reserved.id], () => createGroup(deps, actorOf(person), body, reserved)),
      'GET /groups/members': ({ person, query }) => showMembers(deps, person.accountId, query),
      'POST /groups/members': async ({ person, body }) => {
        await addMembers(deps, actorOf(person), body);
        return { groupId: body.groupId };
      },
      'POST /groups/members/remove': async ({ person, body }) => {
        await removeMember(deps, actorOf(person), body);
        return { groupId: body.groupId };
      },
      'PATCH /groups/members/role': async ({ person, body }) => {
        await changeRole(deps, actorOf(person), body);
        return { groupId: body.groupId };
      },
      'PATCH /groups/details': async ({ person, body }) => {
        await deps.media.withClaim(body, [body.groupId], () =>
          changeDetails(deps, actorOf(person), body, 'chat'),
        );
        return { groupId: body.groupId };
      },
      'DELETE /groups/delete': async ({ person, body }) => {
        await deleteGroup(deps, actorOf(person), body.groupId);
        return { groupId: body.groupId };
      },
    }),
  ];
}

function actorOf({ accountId }: { accountId: string }): GroupActor {
  return { kind: 'user', accountId };
}

/**
 * An administrator deletes a group for everybody; every later call about it is 404 (decisions: Groups).
 *
 * @throws ApiError 404 group, 403 right
 */
export async function deleteGroup(deps: GroupDeps, actor: GroupActor, groupId: string): Promise<void> {
  const show = await deps.db.begin(async (tx) => {
    const group = await lockGroupToAdminister(tx, groupId, actor.accountId);
    const at = deps.clock.now();
    await endGroup(tx, deps, group, at);
    const bots = await selectMemberBots(tx, [group]);
    await deleteListings(tx, groupId, await deleteAllMembers(tx, group));
    const left = bots.map(({ accountId }) => accountId);
    return noteMovement(tx, deps, group, { left, isDeleted: true, from: actor.accountId, at });
  });
  announceDeleted(deps, groupId);
  show();
}

/**
 * Changes the given details of a group; omitted fields are unchanged. `description: ""` and `photoUrl: null` clear the
 * field.
 *
 * @throws ApiError 400 when no field is given, 404 group, 403 right
 */
async function changeDetails(
  deps: GroupDeps,
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
    const at = deps.clock.now();
    await deps.media.releaseReplaced(tx, { ...photoUseOf(group), after: after.photoUrl }, at);
    const isRenamed = after.name !== group.name;
    const notice = { kind: 'renamed', name: after.name, from: actor.accountId, at } as const;
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
