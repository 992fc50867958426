import { hash } from 'node:crypto';
import type { SignUpInvitation, SignUpRules } from '#contract/accounts.ts';
import type { Db, Tx } from '#platform/database.ts';
import { alreadyExists, invalidArgument, notFound, permissionDenied } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperatorAccountDeps } from './deps.ts';
import { hashPassword } from './passwords.ts';
import { insertPerson } from './queries.ts';
import { type Email, readEmail, requirePasswordLength } from './rules.ts';

const TOKEN_BYTES = 18;
const MONTH_MS = 30 * 24 * 3_600_000;

function fingerprintOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * A link with which people sign up where invitations are required; it is shown only once.
 *
 * @param expiresAt epoch milliseconds
 * @throws ApiError 400 for an end in the past
 */
export async function makeSignUpInvitation(
  { db, clock, random }: OperatorAccountDeps,
  { note, uses, expiresAt }: Pick<InvitationRow, 'note' | 'uses' | 'expiresAt'>,
  extraWrites: (tx: Tx, invitationId: string) => Promise<void>,
): Promise<SignUpInvitation & { path: string }> {
  const createdAt = clock.now();
  if (expiresAt <= createdAt) throw invalidArgument('expiresAt', 'in-the-past');
  const token = random.bytes(TOKEN_BYTES).toString('base64url');
  const row: InvitationRow = { value: fingerprintOf(token), note, uses, used: 0, createdAt, expiresAt };
  await db.begin(async (tx) => {
    await tx`insert into sign_up_invitations ${tx(row)}`;
    await extraWrites(tx, row.value);
  });
  return { ...viewInvitation(row), path: `/?invitation=${token}` };
}

/** The newest first; those that have ended stay for a month. A read over all shards; they are few. */
export async function listSignUpInvitations({ db }: OperatorAccountDeps): Promise<SignUpInvitation[]> {
  const rows = await db<InvitationRow[]>`
    select value, note, uses, used, created_at, expires_at from sign_up_invitations order by created_at desc, value`;
  return rows.map(viewInvitation);
}

/** @throws ApiError 404 */
export async function revokeSignUpInvitation(
  { db }: OperatorAccountDeps,
  invitationId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    if (!(await deleteInvitation(tx, invitationId))) throw notFound('sign-up.invitation-unknown');
    await extraWrites(tx);
  });
}

/** One step of the worker. A read over all shards. */
export async function removeOldInvitations({ db, clock }: Platform): Promise<void> {
  const old = await db<{ value: string }[]>`
    select value from sign_up_invitations where expires_at <= ${clock.now() - MONTH_MS}`;
  for (const { value } of old) await db.write((tx) => deleteInvitation(tx, value));
}

function viewInvitation({ value, ...row }: InvitationRow): SignUpInvitation {
  return { invitationId: value, ...row };
}

/** The part of a sign-up that decides whether it is allowed. */
export interface Joining {
  invitation?: string | undefined;
  acceptedTerms?: string | undefined;
}

/** Who may sign up, for a page that shows it before anything is filled in. */
export function showSignUpRules({ config }: Platform): SignUpRules {
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
  { config }: Platform,
  { uniqueName }: Email,
  { invitation, acceptedTerms }: Joining,
): void {
  const { signUps, termsUrl } = config;
  if (signUps.kind === 'closed') throw permissionDenied('sign-up.closed');
  if (signUps.kind === 'provider') throw permissionDenied('sign-up.by-provider');
  if (signUps.kind === 'invitation' && !invitation) throw permissionDenied('sign-up.invitation-needed');
  if (signUps.kind === 'domains' && !signUps.domains.includes(uniqueName.split('@').at(-1) ?? ''))
    throw permissionDenied('sign-up.other-domain', { domains: signUps.domains.join(', ') });
  if (termsUrl !== undefined && acceptedTerms !== termsUrl)
    throw invalidArgument('acceptedTerms', 'terms', { url: termsUrl });
}

/** Whether the invitation, if one is needed, is still open. Only {@link join} decides. */
export async function isInvited(
  { db, config, clock }: Platform,
  { invitation = '' }: Joining,
): Promise<boolean> {
  if (config.signUps.kind !== 'invitation') return true;
  const open = await db`
    select value from sign_up_invitations
    where value = ${fingerprintOf(invitation)} and used < uses and expires_at > ${clock.now()}`;
  return open.length === 1;
}

/** In the transaction that creates the account. @throws ApiError 403 for an invitation that has ended */
export async function join(
  tx: Tx,
  { config, clock }: Platform,
  accountId: string,
  { invitation = '', acceptedTerms }: Joining,
): Promise<void> {
  const { signUps, termsUrl } = config;
  const now = clock.now();
  if (signUps.kind === 'invitation' && !(await takeInvitation(tx, fingerprintOf(invitation), now)))
    throw permissionDenied('sign-up.invitation-ended');
  if (signUps.kind === 'domains')
    await tx`update accounts set must_confirm_email = true where account_id = ${accountId}`;
  if (termsUrl !== undefined && acceptedTerms === termsUrl)
    await updateTerms(tx, accountId, { termsUrl, at: now });
}

/** The operator creates an account, whatever the sign-up policy. @throws ApiError 400, 409 */
export async function addPerson(
  { db, clock, random, newId }: OperatorAccountDeps,
  given: { email: string; name: string; password: string },
  extraWrites: (tx: Tx, accountId: string) => Promise<void>,
): Promise<string> {
  const email = readEmail(given.email);
  requirePasswordLength(given.password);
  const passwordHash = await hashPassword(random, given.password);
  const accountId = newId('usr');
  await db.begin(async (tx) => {
    const person = { accountId, name: given.name, email, passwordHash, createdAt: clock.now() };
    if (!(await insertPerson(tx, person))) throw alreadyExists('account.email-taken');
    await extraWrites(tx, accountId);
  });
  return accountId;
}

interface InvitationRow extends Omit<SignUpInvitation, 'invitationId'> {
  /** The fingerprint of the link's secret. */
  value: string;
}

/** False for one that is used up, expired or unknown. Of concurrent uses only the permitted number succeeds. */
async function takeInvitation(tx: Tx, value: string, now: number): Promise<boolean> {
  const rows = await tx`
    update sign_up_invitations set used = used + 1
    where value = ${value} and used < uses and expires_at > ${now} returning value`;
  return rows.length === 1;
}

async function deleteInvitation(tx: Tx, value: string): Promise<boolean> {
  const rows = await tx`delete from sign_up_invitations where value = ${value} returning value`;
  return rows.length === 1;
}

/** The terms of this server, unless the person has accepted them. */
export function findTermsToAccept(
  person: { termsUrl: string | null },
  { termsUrl }: Platform['config'],
): string | undefined {
  return termsUrl === person.termsUrl ? undefined : termsUrl;
}

export async function updateTerms(
  tx: Tx,
  accountId: string,
  { termsUrl, at }: { termsUrl: string; at: number },
): Promise<void> {
  await tx`
    update accounts set terms_url = ${termsUrl}, terms_accepted_at = ${at} where account_id = ${accountId}`;
}

/** Whether nobody may sign in to an account before its address is confirmed. */
export async function selectIsBarred(db: Db, accountId: string): Promise<boolean> {
  const rows = await db`
    select account_id from accounts
    where account_id = ${accountId} and must_confirm_email and email_confirmed_at is null`;
  return rows.length === 1;
}
