import { Type } from 'typebox';
import { WithReason } from '#contract/operate/acts.ts';
import {
  HeldConversationParams,
  HeldConversations,
  HoldConversation,
  MadeSignUpInvitation,
  MakeSignUpInvitation,
  SignUpInvitationParams,
  SignUpInvitations,
} from '#contract/operate/policy.ts';
import type { Config } from '#platform/config.ts';
import type { OperateRoutes, Operators } from './index.ts';

const Done = Type.Object({});
const changes = { needsRecentSignIn: true } as const;

/** Invitations to sign up, and legal holds. */
export function policyRoutes(
  routes: OperateRoutes,
  operators: Operators,
  config: Pick<Config, 'publicUrl' | 'port'>,
): void {
  routes.get('/invitations', { reply: SignUpInvitations, message: 'invitations to sign up' }, async () => ({
    invitations: await operators.listSignUpInvitations(),
  }));

  routes.post(
    '/invitations',
    {
      ...changes,
      body: MakeSignUpInvitation,
      reply: MadeSignUpInvitation,
      message: 'invitation made; its link is shown this once',
      status: 201,
    },
    ({ operator, body }) => operators.makeInvitation(config, { operatorId: operator.accountId }, body),
  );

  routes.delete(
    '/invitations/:invitationId',
    { ...changes, params: SignUpInvitationParams, reply: Done, message: 'invitation revoked' },
    async ({ operator, params }) => {
      await operators.revokeInvitation({ operatorId: operator.accountId }, params.invitationId);
      return {};
    },
  );

  routes.get(
    '/holds',
    { reply: HeldConversations, message: 'conversations under a legal hold' },
    async () => ({
      holds: await operators.listHolds(),
    }),
  );

  routes.post(
    '/holds',
    {
      ...changes,
      body: HoldConversation,
      reply: HeldConversations,
      message: 'conversation held',
      status: 201,
    },
    async ({ operator, body: { reason, ...named } }) => {
      await operators.holdConversation({ operatorId: operator.accountId }, named, reason);
      return { holds: await operators.listHolds() };
    },
  );

  routes.delete(
    '/holds/:conversationId',
    { ...changes, params: HeldConversationParams, body: WithReason, reply: Done, message: 'hold released' },
    async ({ operator, params, body }) => {
      const by = { operatorId: operator.accountId };
      await operators.releaseConversation(by, params.conversationId, body.reason);
      return {};
    },
  );
}
