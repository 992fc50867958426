import { CHAT } from '#contract/api/chat.ts';
import type { Media } from '#features/media/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Groups } from './index.ts';
import type { GroupActor } from './service.ts';

/** Groups for a person's client: creation and administration. People leave by removing themselves. */
export function groupChatRoutes(groups: Groups, media: Media) {
  return [
    serve(CHAT, {
      'POST /groups': async ({ person, body, reserved }) => {
        await media.claim(body, reserved.id);
        return groups.create(actorOf(person), body, reserved);
      },
      'GET /groups/:groupId': ({ person, params }) => groups.show(person.accountId, params.groupId),
      'GET /groups/members': ({ person, query }) => groups.showMembers(person.accountId, query),
      'POST /groups/members': async ({ person, body }) => {
        await groups.addMembers(actorOf(person), body);
        return { groupId: body.groupId };
      },
      'POST /groups/members/remove': async ({ person, body }) => {
        await groups.removeMember(actorOf(person), body);
        return { groupId: body.groupId };
      },
      'PATCH /groups/members/role': async ({ person, body }) => {
        await groups.changeRole(actorOf(person), body);
        return { groupId: body.groupId };
      },
      'PATCH /groups/details': async ({ person, body }) => {
        await media.claim(body, body.groupId);
        await groups.changeDetails(actorOf(person), body, 'chat');
        return { groupId: body.groupId };
      },
      'DELETE /groups/delete': async ({ person, body }) => {
        await groups.delete(actorOf(person), body.groupId);
        return { groupId: body.groupId };
      },
    }),
  ];
}

function actorOf({ accountId }: { accountId: string }): GroupActor {
  return { kind: 'user', accountId };
}
