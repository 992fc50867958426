import { Type } from 'typebox';
import { ShownGroup } from '#contract/chat.ts';
import { Success } from '#contract/envelope.ts';
import {
  AddMembers,
  ChangeDetailsInChat,
  ChangeRole,
  CreatedGroup,
  CreateGroupInChat,
  DeleteGroup,
  ListMembers,
  RemoveMember,
  ShownMembers,
} from '#contract/groups.ts';
import { GroupId } from '#contract/ids.ts';
import type { PersonLimits } from '#features/accounts/person-limits.ts';
import { claimUploads } from '#features/media/service.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { addMembers } from './add-members.ts';
import { changeDetails } from './change-details.ts';
import { changeRole } from './change-role.ts';
import { createGroup } from './create.ts';
import { deleteGroup } from './delete.ts';
import { showGroup, showMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';
import type { GroupActor } from './service.ts';

const Done = Success(Type.Object({ groupId: GroupId }));

/** Groups as a person's client makes and administers them. Who removes itself leaves. */
export function groupChatRoutes(app: App, deps: Platform & { limits: PersonLimits }): void {
  const { db, clock } = deps;
  const done = (message: string, { groupId }: { groupId: string }) =>
    success(clock.now(), message, { groupId });

  app.post(
    '/groups',
    { schema: { body: CreateGroupInChat, response: { 201: Success(CreatedGroup) } } },
    async (request, reply) => {
      const { person, body } = request;
      await claimUploads(deps, body);
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId: person.accountId, clientId: 'chat' }, 'grp'),
        'group created',
        (groupId, isResumed) => createGroup(deps, actorOf(person), body, { groupId, isResumed }),
      );
    },
  );

  app.get(
    '/groups/:groupId',
    { schema: { params: Type.Object({ groupId: GroupId }), response: { 200: Success(ShownGroup) } } },
    async ({ person, params }) =>
      success(clock.now(), 'group', await showGroup(db, person.accountId, params.groupId)),
  );

  app.get(
    '/groups/members',
    { schema: { querystring: ListMembers, response: { 200: Success(ShownMembers) } } },
    async ({ person, query }) =>
      success(clock.now(), 'members of the group', await showMembers(db, person.accountId, query)),
  );

  app.post(
    '/groups/members',
    { schema: { body: AddMembers, response: { 200: Done } } },
    async ({ person, body }) => {
      await addMembers(deps, actorOf(person), body);
      return done('members added', body);
    },
  );

  app.post(
    '/groups/members/remove',
    { schema: { body: RemoveMember, response: { 200: Done } } },
    async ({ person, body }) => {
      await removeMember(deps, actorOf(person), body);
      return done('member removed', body);
    },
  );

  app.patch(
    '/groups/members/role',
    { schema: { body: ChangeRole, response: { 200: Done } } },
    async ({ person, body }) => {
      await changeRole(deps, actorOf(person), body);
      return done('role updated', body);
    },
  );

  app.patch(
    '/groups/details',
    { schema: { body: ChangeDetailsInChat, response: { 200: Done } } },
    async ({ person, body }) => {
      await claimUploads(deps, body);
      await changeDetails(deps, actorOf(person), body, 'chat');
      return done('details updated', body);
    },
  );

  app.delete(
    '/groups/delete',
    { schema: { body: DeleteGroup, response: { 200: Done } } },
    async ({ person, body }) => {
      await deleteGroup(deps, actorOf(person), body.groupId);
      return done('group deleted', body);
    },
  );
}

function actorOf({ accountId }: { accountId: string }): GroupActor {
  return { kind: 'user', accountId };
}
