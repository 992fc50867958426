import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { OperatorDeps } from './deps.ts';
import {
  holdConversation,
  listHolds,
  makeInvitation,
  releaseConversation,
  revokeInvitation,
} from './policy.ts';

/** Invitations to sign up, and legal holds. */
export function policyRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /invitations': async () => ({
        invitations: await deps.accounts.operator.listSignUpInvitations(),
      }),
      'POST /invitations': ({ operator, body }) =>
        makeInvitation(deps, deps.config, { operatorId: operator.accountId }, body),
      'DELETE /invitations/:invitationId': async ({ operator, params }) => {
        await revokeInvitation(deps, { operatorId: operator.accountId }, params.invitationId);
        return {};
      },
      'GET /holds': async () => ({
        holds: await listHolds(deps),
      }),
      'POST /holds': async ({ operator, body: { reason, ...named } }) => {
        await holdConversation(deps, { operatorId: operator.accountId }, named, reason);
        return { holds: await listHolds(deps) };
      },
      'DELETE /holds/:conversationId': async ({ operator, params, body }) => {
        const by = { operatorId: operator.accountId };
        await releaseConversation(deps, by, params.conversationId, body.reason);
        return {};
      },
    }),
  ];
}
