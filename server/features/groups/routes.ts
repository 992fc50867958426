import { CHAT } from '#contract/api/chat.ts';
import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import { changeDetails } from './change-details.ts';
import { createGroup } from './create.ts';
import { deleteGroup } from './delete.ts';
import { addMembers } from './members/add-members.ts';
import { changeRole } from './members/change-role.ts';
import { listMembers, showGroup, showMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import type { GroupActor, GroupDeps } from './service.ts';

/**
 * The endpoints under `/v1/groups` except for the broadcast (contract §4), and groups for a person's client: creation and
 * administration. People leave by removing themselves.
 */
export function groupRoutes(deps: GroupDeps) {
  return [
    serve(V1, {
      'POST /v1/groups': ({ actor, body, reserved }) => createGroup(deps, actor, body, reserved),
      'DELETE /v1/groups/delete': async ({ actor, body }) => {
        await deleteGroup(deps, actor, body.groupId);
        return { deleted: true as const };
      },
      'POST /v1/groups/members': async ({ actor, body }) => {
        await addMembers(deps, actor, body);
        return { added: true as const };
      },
      'GET /v1/groups/members': ({ actor, query }) => listMembers(deps, actor.accountId, query),
      'POST /v1/groups/members/remove': async ({ actor, body }) => {
        await removeMember(deps, actor, body);
        return { removed: true as const };
      },
      'PATCH /v1/groups/members/role': async ({ actor, body }) => {
        await changeRole(deps, actor, body);
        return { updated: true as const };
      },
      'PATCH /v1/groups/details': async ({ actor, body }) => {
        await changeDetails(deps, actor, body, 'api');
        return { updated: true as const };
      },
    }),
    serve(CHAT, {
      'POST /groups': async ({ person, body, reserved }) => {
        await deps.media.claim(body, reserved.id);
        return createGroup(deps, actorOf(person), body, reserved);
      },
      'GET /groups/:groupId': ({ person, params }) => showGroup(deps, person.accountId, params.groupId),
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
        await deps.media.claim(body, body.groupId);
        await changeDetails(deps, actorOf(person), body, 'chat');
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
