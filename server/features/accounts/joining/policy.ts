import type { SignUpRules } from '#contract/accounts.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument, permissionDenied } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Email } from '../rules.ts';
import { fingerprintOf } from './invitations.ts';
import { selectIsOpen, takeInvitation, updateMustConfirm, updateTerms } from './queries.ts';

/** The part of a sign-up that decides whether it is allowed. */
export interface Joining {
  invitation?: string | undefined;
  acceptedTerms?: string | undefined;
}

/** Who may sign up, for a page that shows it before anything is filled in. */
export function showSignUpRules({ config }: Pick<Platform, 'config'>): SignUpRules {
  const { signUps, termsUrl, smtpUrl } = config;
  return {
    policy: signUps.kind,
    ...(signUps.kind === 'domains' && { domains: [...signUps.domains] }),
    ...(termsUrl !== undefined && { termsUrl }),
    sendsMail: smtpUrl !== undefined,
  };
}

/** Makes the checks that need no other work. @throws ApiError 400, 403 */
export function refuseToJoin(
  { config }: Pick<Platform, 'config'>,
  { uniqueName }: Email,
  { invitation, acceptedTerms }: Joining,
): void {
  const { signUps, termsUrl } = config;
  if (signUps.kind === 'closed') throw permissionDenied('sign-up.closed');
  if (signUps.kind === 'invitation' && !invitation) throw permissionDenied('sign-up.invitation-needed');
  if (signUps.kind === 'domains' && !signUps.domains.includes(uniqueName.split('@').at(-1) ?? ''))
    throw permissionDenied('sign-up.other-domain', { domains: signUps.domains.join(', ') });
  if (termsUrl !== undefined && acceptedTerms !== termsUrl)
    throw invalidArgument('acceptedTerms', 'terms', { url: termsUrl });
}

/** Whether the invitation, if one is needed, is still open. Only {@link join} decides. */
export async function isInvited(
  { db, config, clock }: Pick<Platform, 'db' | 'config' | 'clock'>,
  { invitation = '' }: Joining,
): Promise<boolean> {
  return config.signUps.kind !== 'invitation' || selectIsOpen(db, fingerprintOf(invitation), clock.now());
}

/** In the transaction that creates the account. @throws ApiError 403 for an invitation that has ended */
export async function join(
  tx: Tx,
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  accountId: string,
  { invitation = '', acceptedTerms }: Joining,
): Promise<void> {
  const { signUps, termsUrl } = config;
  const now = clock.now();
  if (signUps.kind === 'invitation' && !(await takeInvitation(tx, fingerprintOf(invitation), now)))
    throw permissionDenied('sign-up.invitation-ended');
  if (signUps.kind === 'domains') await updateMustConfirm(tx, accountId);
  if (termsUrl !== undefined && acceptedTerms === termsUrl)
    await updateTerms(tx, accountId, { termsUrl, at: now });
}
