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
import type { Access, V1 } from '#features/applications/index.ts';
import type { Groups } from './index.ts';

const access: Access = { actors: ['bot', 'user'], scope: 'groups:manage' };
const tags = ['Groups'];

/** The endpoints under `/v1/groups` except for the broadcast (contract §4), and the list of members as an extension. */
export function groupRoutes(v1: V1, groups: Groups): void {
  v1.post(
    '/v1/groups',
    {
      access,
      operationId: 'createGroup',
      summary: 'Create a group or broadcast list',
      description:
        'The caller is added automatically and becomes the only administrator. With `isBroadcast: true` the group is a ' +
        'broadcast list, in which only its creator writes. A bot can add only users who have written to it and have ' +
        'not blocked it.',
      tags,
      body: CreateGroup,
      reply: CreatedGroup,
      message: 'group created',
      creates: 'grp',
    },
    ({ actor, body, reserved }) => groups.create(actor, body, reserved),
  );

  v1.delete(
    '/v1/groups/delete',
    {
      access,
      operationId: 'deleteGroup',
      summary: 'Delete a group',
      description: 'Deletes the group for all its members. Only administrators may do this.',
      tags,
      body: DeleteGroup,
      reply: DeletedGroup,
      message: 'group deleted',
    },
    async ({ actor, body }) => {
      await groups.delete(actor, body.groupId);
      return { deleted: true as const };
    },
  );

  v1.post(
    '/v1/groups/members',
    {
      access,
      operationId: 'addGroupMembers',
      summary: 'Add members to a group',
      description:
        'Adds all the users, or none if one of them cannot be added. Those who are members already are skipped. Only ' +
        'administrators may do this, and a bot can add only users who have written to it.',
      tags,
      body: AddMembers,
      reply: AddedMembers,
      message: 'members added',
    },
    async ({ actor, body }) => {
      await groups.addMembers(actor, body);
      return { added: true as const };
    },
  );

  v1.get(
    '/v1/groups/members',
    {
      access,
      operationId: 'listGroupMembers',
      summary: 'List the members of a group',
      description:
        'Returns the members ordered by id, one page at a time: pass `nextCursor` as `cursor` until it is missing. Every member ' +
        'may do this.',
      tags,
      query: ListMembers,
      reply: GroupMembers,
      message: 'members of the group',
    },
    ({ actor, query }) => groups.listMembers(actor.accountId, query),
  );

  v1.post(
    '/v1/groups/members/remove',
    {
      access,
      operationId: 'removeGroupMember',
      summary: 'Remove a member, or leave a group',
      description:
        'Only administrators may remove others; a caller that gives its own id as `memberId` leaves the group. The ' +
        'creator of a broadcast list cannot leave it, only delete it.',
      tags,
      body: RemoveMember,
      reply: RemovedMember,
      message: 'member removed',
    },
    async ({ actor, body }) => {
      await groups.removeMember(actor, body);
      return { removed: true as const };
    },
  );

  v1.patch(
    '/v1/groups/members/role',
    {
      access,
      operationId: 'changeGroupRole',
      summary: 'Promote or demote a member',
      description:
        'Promotes a member to administrator, or demotes one. Only administrators may do this. The only administrator ' +
        'cannot be demoted, and broadcast lists have no roles.',
      tags,
      body: ChangeRole,
      reply: UpdatedGroup,
      message: 'role updated',
    },
    async ({ actor, body }) => {
      await groups.changeRole(actor, body);
      return { updated: true as const };
    },
  );

  v1.patch(
    '/v1/groups/details',
    {
      access,
      operationId: 'changeGroupDetails',
      summary: 'Change the details of a group',
      description:
        'Changes the details that are given, at least one; the others keep their values. `description: ""` and ' +
        '`photoUrl: null` clear the field. Only administrators may do this.',
      tags,
      body: ChangeDetails,
      reply: UpdatedGroup,
      message: 'details updated',
    },
    async ({ actor, body }) => {
      await groups.changeDetails(actor, body, 'api');
      return { updated: true as const };
    },
  );
}
