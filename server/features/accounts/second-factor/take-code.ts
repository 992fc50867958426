import { Secret, TOTP } from 'otpauth';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { readCode } from '../rules.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { deleteRecoveryCode, type SecretRow, selectSecret, updateTimeStep } from './two-factor-queries.ts';

const STEP_MS = 30_000;
/** Tolerates a clock that is one step off in either direction (RFC 6238 §5.2). */
const WINDOW = 1;

/**
 * Accepts a code of the person's authenticator app, or a recovery code, once each. False for a wrong or used
 * one, and while two-factor sign-in is off.
 */
export async function takeCode(
  tx: Tx,
  keyring: Keyring,
  { accountId, text, now }: { accountId: string; text: string; now: number },
): Promise<boolean> {
  const given = readCode(text);
  if (!given) return false;
  const secret = await selectSecret(tx, accountId);
  if (secret?.enabledAt == null) return false;
  return given.kind === 'time'
    ? takeTimeCode(tx, keyring, { accountId, code: given.code, now })
    : deleteRecoveryCode(tx, accountId, hashRecoveryCode(accountId, given.code));
}

/** The same for the six digits, whether two-factor sign-in is on or not. */
export async function takeTimeCode(
  tx: Tx,
  keyring: Keyring,
  { accountId, code, now }: { accountId: string; code: string; now: number },
): Promise<boolean> {
  const secret = await selectSecret(tx, accountId);
  const step = secret && findTimeStep(keyring, secret, code, now);
  return step !== undefined && updateTimeStep(tx, accountId, step);
}

export function isRightTimeCode(keyring: Keyring, secret: SecretRow, code: string, now: number): boolean {
  return findTimeStep(keyring, secret, code, now) !== undefined;
}

/** The time step whose code this is. @throws ApiError 400 when the secret cannot be read */
function findTimeStep(keyring: Keyring, row: SecretRow, code: string, now: number): number | undefined {
  const context = { table: 'two_factor_secrets', rowId: row.accountId };
  const bytes = keyring.openIfReadable(context, { keyId: row.secretKeyId, ciphertext: row.secret });
  if (!bytes) throw failedPrecondition('two-factor.unreadable');
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  const delta = TOTP.validate({ token: code, secret, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta;
}
