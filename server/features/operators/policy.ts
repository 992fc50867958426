import type { SignUpInvitation } from '#contract/accounts.ts';
import { OPERATE } from '#contract/api/operate.ts';
import type { HeldConversation } from '#contract/operate/policy.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { recordAct } from './acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';

interface By {
  operatorId?: string | undefined;
}

/** Finds a conversation by its id, or by the two people of a private one. */
export type Named = { conversationId: string } | { userIds: readonly [string, string] };

/** The link is shown only once. @throws ApiError 400 */
export async function makeInvitation(
  deps: OperatorCommandDeps,
  config: Pick<Platform['config'], 'publicUrl' | 'port'>,
  { operatorId }: By,
  given: { note: string; uses: number; expiresAt: number },
): Promise<SignUpInvitation & { link: string }> {
  const { path, ...made } = await deps.accounts.operator.makeSignUpInvitation(given, (tx, subject) =>
    recordAct(tx, deps, { operatorId, act: 'invitation.made', subject, details: { ...given } }),
  );
  return { ...made, link: publicUrlOf(config) + path };
}

/** @throws ApiError 404 */
export async function revokeInvitation(
  deps: OperatorCommandDeps,
  { operatorId }: By,
  subject: string,
): Promise<void> {
  await deps.accounts.operator.revokeSignUpInvitation(subject, (tx) =>
    recordAct(tx, deps, { operatorId, act: 'invitation.revoked', subject }),
  );
}

/** Nothing in a conversation expires or is deleted for good until it is released. @throws ApiError 400, 404 */
export async function holdConversation(
  deps: OperatorCommandDeps,
  { operatorId }: By,
  named: Named,
  reason: string,
): Promise<string> {
  const subject = 'conversationId' in named ? named.conversationId : privateConversationId(...named.userIds);
  await deps.holds.holdConversation(
    subject,
    recording(deps, operatorId, 'conversation.held', subject, reason),
  );
  return subject;
}

/** @throws ApiError 404 */
export async function releaseConversation(
  deps: OperatorCommandDeps,
  { operatorId }: By,
  subject: string,
  reason: string,
): Promise<void> {
  const extraWrites = recording(deps, operatorId, 'conversation.released', subject, reason);
  await deps.holds.releaseConversation(subject, extraWrites);
}

/** The oldest first; the trail has the reasons. */
export function listHolds({ holds }: OperatorCommandDeps): Promise<HeldConversation[]> {
  return holds.listHeld();
}

function recording(
  deps: OperatorCommandDeps,
  operatorId: string | undefined,
  act: 'conversation.held' | 'conversation.released',
  subject: string,
  reason: string,
) {
  return (tx: Tx) => recordAct(tx, deps, { operatorId, act, subject, details: { reason } });
}

/**
 * Only the command line creates accounts: the first one of a server, and all if nobody may sign up. @throws
 * ApiError 400, 409
 */
export async function addPerson(
  deps: OperatorCommandDeps,
  given: { email: string; name: string; password: string },
): Promise<string> {
  return deps.accounts.operator.addPerson(given, (tx, subject) =>
    recordAct(tx, deps, { act: 'account.added', subject }),
  );
}

/** The command line confirms an address. @throws ApiError 400, 404 */
export async function confirmEmailOf(deps: OperatorCommandDeps, email: string): Promise<string> {
  const subject = await deps.accounts.requireIdByEmail(email);
  await deps.accounts.operator.confirmEmailOf(subject, (tx) =>
    recordAct(tx, deps, { act: 'person.email-confirmed', subject }),
  );
  return subject;
}

/** Invitations to sign up, and legal holds. */
export function policyRoutes(deps: OperatorDeps) {
  return serve(OPERATE, {
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
  });
}
