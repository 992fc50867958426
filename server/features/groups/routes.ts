import { type TSchema, Type } from 'typebox';
import { Success } from '#contract/envelope.ts';
import {
  AddMembers,
  ChangeDetails,
  ChangeRole,
  CreatedGroup,
  CreateGroup,
  DeleteGroup,
  GroupMembers,
  ListMembers,
  RemoveMember,
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

const Deleted = Type.Object({ deleted: Type.Literal(true) });
const Added = Type.Object({ added: Type.Literal(true) });
const Removed = Type.Object({ removed: Type.Literal(true) });
const Updated = Type.Object({ updated: Type.Literal(true) });

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
        tags: ['Groups'],
        body: CreateGroup,
        response: { 201: Success(CreatedGroup) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request;
      const created = await createOnce(
        deps,
        repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'grp'),
        (groupId, isResumed) => createGroup(deps, actor, body, { groupId, isResumed }),
      );
      reply.code(201);
      return success(now(), 'group created', created);
    },
  );

  app.delete(
    '/v1/groups/delete',
    { config, schema: describe('deleteGroup', 'Delete a group for everybody', DeleteGroup, Deleted) },
    async ({ actor, body }) => {
      await deleteGroup(deps, actor, body.groupId);
      return success(now(), 'group deleted', { deleted: true as const });
    },
  );

  app.post(
    '/v1/groups/members',
    { config, schema: describe('addGroupMembers', 'Add members, all or none', AddMembers, Added) },
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
        summary: 'The members of a group, page by page',
        description: 'An extension of the contract. Every member may ask.',
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
    { config, schema: describe('removeGroupMember', 'Remove a member, or leave', RemoveMember, Removed) },
    async ({ actor, body }) => {
      await removeMember(deps, actor, body);
      return success(now(), 'member removed', { removed: true as const });
    },
  );

  app.patch(
    '/v1/groups/members/role',
    { config, schema: describe('changeGroupRole', 'Promote or demote a member', ChangeRole, Updated) },
    async ({ actor, body }) => {
      await changeRole(deps, actor, body);
      return success(now(), 'role updated', { updated: true as const });
    },
  );

  app.patch(
    '/v1/groups/details',
    { config, schema: describe('changeGroupDetails', 'Change the details', ChangeDetails, Updated) },
    async ({ actor, body }) => {
      await changeDetails(deps, actor, body, 'api');
      return success(now(), 'details updated', { updated: true as const });
    },
  );
}

function describe<B extends TSchema, D extends TSchema>(
  operationId: string,
  summary: string,
  body: B,
  data: D,
) {
  return { operationId, summary, tags: ['Groups'], body, response: { 200: Success(data) } };
}
