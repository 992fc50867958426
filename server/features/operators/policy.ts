import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { type Acts, type By, byActs } from './acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';

/** Who may join, and what is kept. */
export const policyActs = {
  /** The link is shown only once. */
  'invitation.made': async ({ accounts, config }, _, given, record) => {
    const extraWrites = record({ ...given });
    const { path, ...made } = await accounts.operator.makeSignUpInvitation(given, extraWrites);
    return { ...made, link: publicUrlOf(config) + path };
  },
  'invitation.revoked': ({ accounts }, { invitationId }, _, record) =>
    accounts.operator.revokeSignUpInvitation(invitationId, record()),
  /** Nothing in a conversation expires or is deleted for good until it is released. */
  'conversation.held': async ({ holds }, _, { conversationId, reason }, record) => {
    const extraWrites = record({ reason });
    await holds.holdConversation(conversationId, (tx) => extraWrites(tx, conversationId));
    return { holds: await holds.listHeld() };
  },
  'conversation.released': ({ holds }, { conversationId }, { reason }, record) =>
    holds.releaseConversation(conversationId, record({ reason })),
  /** Only the command line creates accounts: the first one of a server, and all if nobody may sign up. */
  'account.added': (
    { accounts },
    _: By,
    given: { email: string; name: string; password: string },
    record,
  ): Promise<string> => accounts.operator.addPerson(given, record()),
  'person.email-confirmed': ({ accounts }, { accountId }: { accountId: string }, _: undefined, record) =>
    accounts.operator.confirmEmailOf(accountId, record()),
} satisfies Acts<OperatorCommandDeps>;

/** Invitations to sign up, and legal holds. */
export function policyRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /invitations': async () => ({
        invitations: await deps.accounts.operator.listSignUpInvitations(),
      }),
      'GET /holds': async () => ({ holds: await deps.holds.listHeld() }),
    }),
    serve(OPERATE, byActs(deps, policyActs)),
  ];
}
