import type { TSchema } from 'typebox';
import { Success } from '#contract/envelope.ts';
import {
  AddedMembers,
  AddMembers,
  ChangeDetails,
  ChangeRole,
  CreatedGroup,
  CreateGroup,
  DeletedGroup,
  DeleteGroup,
  GroupMembers,
  ListMembers,
  RemovedMember,
  RemoveMember,
  UpdatedGroup,
} from '#contract/groups.ts';
import type { PersonLimits } from '#features/accounts/person-limits.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { addMembers } from './add-members.ts';
import { changeDetails } from './change-details.ts';
import { changeRole } from './change-role.ts';
import { createGroup } from './create.ts';
import { deleteGroup } from './delete.ts';
import { listMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';

const config = { access: { actors: ['bot', 'user'], scope: 'groups:manage' } } as const;

/** The seven endpoints under `/v1/groups` but the broadcast, and the list of members as an extension (contract §4). */
export function groupRoutes(app: App, deps: Platform & { limits: PersonLimits }): void {
  const now = () => deps.clock.now();

  app.post(
    '/v1/groups',
    {
      config,
      schema: {
        operationId: 'createGroup',
        summary: 'Create a group or broadcast list',
        description:
          'The caller is added automatically and becomes the only administrator. With `isBroadcast: true` the group is a ' +
          'broadcast list, in which only its creator writes. A bot can add only users who have written to it and have ' +
          'not blocked it.',
        tags: ['Groups'],
        body: CreateGroup,
        response: { 201: Success(CreatedGroup) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request;
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'grp'),
        'group created',
        (groupId, isResumed) => createGroup(deps, actor, body, { groupId, isResumed }),
      );
    },
  );

  app.delete(
    '/v1/groups/delete',
    {
      config,
      schema: {
        operationId: 'deleteGroup',
        summary: 'Delete a group',
        description: 'Deletes the group for all its members. Only administrators may do this.',
        ...between(DeleteGroup, DeletedGroup),
      },
    },
    async ({ actor, body }) => {
      await deleteGroup(deps, actor, body.groupId);
      return success(now(), 'group deleted', { deleted: true as const });
    },
  );

  app.post(
    '/v1/groups/members',
    {
      config,
      schema: {
        operationId: 'addGroupMembers',
        summary: 'Add members to a group',
        description:
          'Adds all the users, or none if one of them cannot be added. Those who are members already are skipped. Only ' +
          'administrators may do this, and a bot can add only users who have written to it.',
        ...between(AddMembers, AddedMembers),
      },
    },
    async ({ actor, body }) => {
      await addMembers(deps, actor, body);
      return success(now(), 'members added', { added: true as const });
    },
  );

  app.get(
    '/v1/groups/members',
    {
      config,
      schema: {
        operationId: 'listGroupMembers',
        summary: 'List the members of a group',
        description:
          'Returns the members ordered by id, one page at a time: pass `nextCursor` as `cursor` until it is missing. Every member ' +
          'may do this.',
        tags: ['Groups'],
        querystring: ListMembers,
        response: { 200: Success(GroupMembers) },
      },
    },
    async ({ actor, query }) =>
      success(now(), 'members of the group', await listMembers(deps.db, actor.accountId, query)),
  );

  app.post(
    '/v1/groups/members/remove',
    {
      config,
      schema: {
        operationId: 'removeGroupMember',
        summary: 'Remove a member, or leave a group',
        description:
          'Only administrators may remove others; a caller that gives its own id as `memberId` leaves the group. The ' +
          'creator of a broadcast list cannot leave it, only delete it.',
        ...between(RemoveMember, RemovedMember),
      },
    },
    async ({ actor, body }) => {
      await removeMember(deps, actor, body);
      return success(now(), 'member removed', { removed: true as const });
    },
  );

  app.patch(
    '/v1/groups/members/role',
    {
      config,
      schema: {
        operationId: 'changeGroupRole',
        summary: 'Promote or demote a member',
        description:
          'Promotes a member to administrator, or demotes one. Only administrators may do this. The only administrator ' +
          'cannot be demoted, and broadcast lists have no roles.',
        ...between(ChangeRole, UpdatedGroup),
      },
    },
    async ({ actor, body }) => {
      await changeRole(deps, actor, body);
      return success(now(), 'role updated', { updated: true as const });
    },
  );

  app.patch(
    '/v1/groups/details',
    {
      config,
      schema: {
        operationId: 'changeGroupDetails',
        summary: 'Change the details of a group',
        description:
          'Changes the details that are given, at least one; the others keep their values. `description: ""` and ' +
          '`photoUrl: null` clear the field. Only administrators may do this.',
        ...between(ChangeDetails, UpdatedGroup),
      },
    },
    async ({ actor, body }) => {
      await changeDetails(deps, actor, body, 'api');
      return success(now(), 'details updated', { updated: true as const });
    },
  );
}

function between<B extends TSchema, D extends TSchema>(body: B, data: D) {
  return { tags: ['Groups'], body, response: { 200: Success(data) } };
}
