import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import type { Groups } from './index.ts';

/** The endpoints under `/v1/groups` except for the broadcast (contract §4), and the list of members as an extension. */
export function groupRoutes(groups: Groups) {
  return [
    serve(V1, {
      'POST /v1/groups': ({ actor, body, reserved }) => groups.create(actor, body, reserved),
      'DELETE /v1/groups/delete': async ({ actor, body }) => {
        await groups.delete(actor, body.groupId);
        return { deleted: true as const };
      },
      'POST /v1/groups/members': async ({ actor, body }) => {
        await groups.addMembers(actor, body);
        return { added: true as const };
      },
      'GET /v1/groups/members': ({ actor, query }) => groups.listMembers(actor.accountId, query),
      'POST /v1/groups/members/remove': async ({ actor, body }) => {
        await groups.removeMember(actor, body);
        return { removed: true as const };
      },
      'PATCH /v1/groups/members/role': async ({ actor, body }) => {
        await groups.changeRole(actor, body);
        return { updated: true as const };
      },
      'PATCH /v1/groups/details': async ({ actor, body }) => {
        await groups.changeDetails(actor, body, 'api');
        return { updated: true as const };
      },
    }),
  ];
}
