import { hash } from 'node:crypto';
import type { SignUpInvitation } from '#contract/accounts.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperatorAccountDeps } from '../deps.ts';
import {
  deleteInvitation,
  type InvitationRow,
  insertInvitation,
  selectInvitations,
  selectOldInvitations,
} from './queries.ts';

const TOKEN_BYTES = 18;
const MONTH_MS = 30 * 24 * 3_600_000;

export function fingerprintOf(token: string): string {
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
  const row = { value: fingerprintOf(token), note, uses, used: 0, createdAt, expiresAt };
  await db.begin(async (tx) => {
    await insertInvitation(tx, row);
    await extraWrites(tx, row.value);
  });
  return { ...viewInvitation(row), path: `/?invitation=${token}` };
}

/** The newest first; those that have ended stay for a month. */
export async function listSignUpInvitations({ db }: OperatorAccountDeps): Promise<SignUpInvitation[]> {
  return (await selectInvitations(db)).map(viewInvitation);
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

/** One step of the worker. */
export async function removeOldInvitations({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  for (const value of await selectOldInvitations(db, clock.now() - MONTH_MS))
    await db.write((tx) => deleteInvitation(tx, value));
}

function viewInvitation({ value, ...row }: InvitationRow): SignUpInvitation {
  return { invitationId: value, ...row };
}
