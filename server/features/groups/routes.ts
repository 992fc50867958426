import { SIGN_IN } from '#contract/api/auth.ts';
import { CHAT } from '#contract/api/chat.ts';
import { V1 } from '#contract/api/v1.ts';
import type { ChangeDetails } from '#contract/groups.ts';
import { say } from '#contract/reasons.ts';
import { invalidArgument } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import { networkOf } from '#platform/http/client-address.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { announceChange, note, noteMovement } from './announce.ts';
import { createGroup } from './create.ts';
import {
  decideJoinRequest,
  joinByLink,
  listJoinRequests,
  showLinkedGroup,
  showLinkedGroupTo,
} from './links/join.ts';
import { listLinks, makeLink, revokeLink } from './links/links.ts';
import { changeRole, removeMember } from './members/change-members.ts';
import { listGroups, listMembers, showMembers } from './members/list-members.ts';
import { addMembers } from './members/newcomers.ts';
import { deleteAllMembers, deleteListings, selectMemberBots } from './members/queries.ts';
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
  /** Changes a group as a person, whose page is answered with its id. */
  const inGroup =
    <Body extends { groupId: string }>(
      change: (deps: GroupDeps, actor: GroupActor, body: Body) => Promise<void>,
    ) =>
    async ({ person, body }: { person: { accountId: string }; body: Body }) => {
      await change(deps, actorOf(person), body);
      return { groupId: body.groupId };
    };
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
      'POST /groups/members': inGroup(addMembers),
      'POST /groups/members/remove': inGroup(removeMember),
      'PATCH /groups/members/role': inGroup(changeRole),
      'PATCH /groups/details': inGroup((_, actor, body: ChangeDetails) =>
        deps.media.withClaim(body, [body.groupId], () => changeDetails(deps, actor, body, 'chat')),
      ),
      'DELETE /groups/delete': inGroup((_, actor, { groupId }) => deleteGroup(deps, actor, groupId)),
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
  deps.live.publish(groupId, { type: 'group.deleted', data: { groupId } });
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

/** As many as wrong passwords of a network: a link that has ended may be opened by many people. */
const WRONG_LINKS = { limit: 50, windowMs: 15 * 60_000 };

/** Invitation links of groups and broadcast lists: for administrators, and for those who open one. */
export function linkRoutes(given: GroupDeps) {
  const refusal = say('sign-in.too-many-attempts');
  const deps = {
    ...given,
    wrongLinks: new RateLimit(given, { name: 'wrong-group-links', ...WRONG_LINKS, refusal }),
  };
  return [
    serve(SIGN_IN, {
      'POST /group-links/show': ({ browser, body }) =>
        showLinkedGroup(deps, networkOf(browser.address), body.token),
    }),
    serve(CHAT, {
      'GET /groups/links': ({ person, query }) => listLinks(deps, person.accountId, query.groupId),
      'POST /groups/links': ({ person, body }) => makeLink(deps, person.accountId, body),
      'POST /groups/links/revoke': ({ person, body }) => revokeLink(deps, person.accountId, body),
      'POST /groups/links/show': ({ person, body }) => showLinkedGroupTo(deps, person.accountId, body.token),
      'POST /groups/links/join': ({ person, body }) => joinByLink(deps, person.accountId, body.token),
      'GET /groups/join-requests': ({ person, query }) =>
        listJoinRequests(deps, person.accountId, query.groupId),
      'POST /groups/join-requests/decide': ({ person, body }) =>
        decideJoinRequest(deps, person.accountId, body),
    }),
  ];
}
