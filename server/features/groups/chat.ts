import { Type } from 'typebox';
import { ShownGroup } from '#contract/chat.ts';
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
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Groups } from './index.ts';
import type { GroupActor } from './service.ts';

const GroupParams = Type.Object({ groupId: GroupId });

/** Groups for a person's client: creation and administration. People leave by removing themselves. */
export function groupChatRoutes(chat: ChatRoutes, groups: Groups, media: Media): void {
  chat.post(
    '/groups',
    { body: CreateGroupInChat, reply: CreatedGroup, message: 'group created', creates: 'grp' },
    async ({ person, body, reserved }) => {
      await media.claim(body, reserved.id);
      return groups.create(actorOf(person), body, reserved);
    },
  );

  chat.get(
    '/groups/:groupId',
    { params: GroupParams, reply: ShownGroup, message: 'group' },
    ({ person, params }) => groups.show(person.accountId, params.groupId),
  );

  chat.get(
    '/groups/members',
    { query: ListMembers, reply: ShownMembers, message: 'members of the group' },
    ({ person, query }) => groups.showMembers(person.accountId, query),
  );

  chat.post(
    '/groups/members',
    { body: AddMembers, reply: GroupParams, message: 'members added' },
    async ({ person, body }) => {
      await groups.addMembers(actorOf(person), body);
      return { groupId: body.groupId };
    },
  );

  chat.post(
    '/groups/members/remove',
    { body: RemoveMember, reply: GroupParams, message: 'member removed' },
    async ({ person, body }) => {
      await groups.removeMember(actorOf(person), body);
      return { groupId: body.groupId };
    },
  );

  chat.patch(
    '/groups/members/role',
    { body: ChangeRole, reply: GroupParams, message: 'role updated' },
    async ({ person, body }) => {
      await groups.changeRole(actorOf(person), body);
      return { groupId: body.groupId };
    },
  );

  chat.patch(
    '/groups/details',
    { body: ChangeDetailsInChat, reply: GroupParams, message: 'details updated' },
    async ({ person, body }) => {
      await media.claim(body, body.groupId);
      await groups.changeDetails(actorOf(person), body, 'chat');
      return { groupId: body.groupId };
    },
  );

  chat.delete(
    '/groups/delete',
    { body: DeleteGroup, reply: GroupParams, message: 'group deleted' },
    async ({ person, body }) => {
      await groups.delete(actorOf(person), body.groupId);
      return { groupId: body.groupId };
    },
  );
}

function actorOf({ accountId }: { accountId: string }): GroupActor {
  return { kind: 'user', accountId };
}
