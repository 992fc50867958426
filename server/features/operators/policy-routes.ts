import { OPERATE } from '#contract/api/operate.ts';
import type { Config } from '#platform/config.ts';
import { serve } from '#platform/http/serve.ts';
import type { Operators } from './index.ts';

/** Invitations to sign up, and legal holds. */
export function policyRoutes(operators: Operators, config: Pick<Config, 'publicUrl' | 'port'>) {
  return [
    serve(OPERATE, {
      'GET /invitations': async () => ({
        invitations: await operators.listSignUpInvitations(),
      }),
      'POST /invitations': ({ operator, body }) =>
        operators.makeInvitation(config, { operatorId: operator.accountId }, body),
      'DELETE /invitations/:invitationId': async ({ operator, params }) => {
        await operators.revokeInvitation({ operatorId: operator.accountId }, params.invitationId);
        return {};
      },
      'GET /holds': async () => ({
        holds: await operators.listHolds(),
      }),
      'POST /holds': async ({ operator, body: { reason, ...named } }) => {
        await operators.holdConversation({ operatorId: operator.accountId }, named, reason);
        return { holds: await operators.listHolds() };
      },
      'DELETE /holds/:conversationId': async ({ operator, params, body }) => {
        const by = { operatorId: operator.accountId };
        await operators.releaseConversation(by, params.conversationId, body.reason);
        return {};
      },
    }),
  ];
}
