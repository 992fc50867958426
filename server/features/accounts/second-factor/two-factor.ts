import { hash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import {
  RECOVERY_CODES,
  type RecoveryCodes,
  type TwoFactor,
  type TwoFactorSecret,
} from '#contract/accounts/second-factors.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Tx } from '#platform/database.ts';
import { alreadyExists, failedPrecondition, notFound, permissionDenied } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { AccountDeps, OperatorAccountDeps } from '../deps.ts';
import { lockAccount, lockLogin, selectLogin } from '../queries.ts';
import { readCode } from '../rules.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { announceEnd, type Person, sessionEnded, sessionOf } from '../sessions/session.ts';
import type { Visitor } from '../throttle/throttle.ts';
import {
  countRecoveryCodes,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  deleteSecret,
  insertRecoveryCodes,
  type SecretRow,
  selectSecret,
  updateSecretEnabled,
  updateTimeStep,
  upsertSecret,
} from './two-factor-queries.ts';

/** Crockford base 32: nothing to confuse when it is copied from paper. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: too many to guess from a stolen fingerprint, so no slow hash is needed. */
const CHARACTERS = 16;

/** New recovery codes as they are shown, `xxxx-xxxx-xxxx-xxxx`. */
function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const characters = Array.from(random.bytes(CHARACTERS), (byte) => ALPHABET[byte & 31]).join('');
    return characters.replace(/.{4}(?!$)/g, '$&-');
  });
}

/** @param code with or without its hyphens */
function hashRecoveryCode(accountId: string, code: string): Buffer {
  return hash('sha256', `${accountId}:${code.replaceAll('-', '')}`, 'buffer');
}

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
    ? takeTimeCode(tx, keyring, secret, given.code, now)
    : deleteRecoveryCode(tx, accountId, hashRecoveryCode(accountId, given.code));
}

/** The same for the six digits, whether two-factor sign-in is on or not. */
async function takeTimeCode(
  tx: Tx,
  keyring: Keyring,
  secret: SecretRow,
  code: string,
  now: number,
): Promise<boolean> {
  const step = findTimeStep(keyring, secret, code, now);
  return step !== undefined && updateTimeStep(tx, secret.accountId, step);
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

/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;

export async function showTwoFactor({ db }: AccountDeps, { accountId }: Person): Promise<TwoFactor> {
  const [secret, recoveryCodesLeft] = await Promise.all([
    selectSecret(db, accountId),
    countRecoveryCodes(db, accountId),
  ]);
  const enabledAt = secret?.enabledAt ?? null;
  return { isOn: enabledAt !== null, ...(enabledAt !== null && { enabledAt }), recoveryCodesLeft };
}

/**
 * A new secret for the person's authenticator app; codes are not required until one has been entered.
 *
 * @throws ApiError 409 while two-factor sign-in is on
 */
export async function enrolTwoFactor(
  { db, random, keyring, config: { serviceName = 'Parley' } }: AccountDeps,
  { accountId }: Person,
): Promise<TwoFactorSecret> {
  const login = await selectLogin(db, accountId);
  if (!login) throw sessionEnded();
  const bytes = random.bytes(SECRET_BYTES);
  const sealed = keyring.seal({ table: 'two_factor_secrets', rowId: accountId }, bytes);
  const isKept = await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    return upsertSecret(tx, { accountId, secret: sealed.ciphertext, secretKeyId: sealed.keyId });
  });
  if (!isKept) throw alreadyExists('two-factor.on');
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  const uri = new TOTP({ issuer: serviceName, label: login.email, secret }).toString();
  return { secret: secret.base32, uri };
}

/**
 * The first right code turns two-factor sign-in on, and ends the sessions that began without one.
 *
 * @throws ApiError 403 for a wrong code, 400 when there is nothing to confirm
 */
export async function confirmTwoFactor(
  deps: AccountDeps,
  person: Person,
  visitor: Visitor,
  text: string,
): Promise<RecoveryCodes> {
  const { db, clock, keyring, random, live, throttle } = deps;
  const { accountId } = person;
  const now = clock.now();
  const enrolled = await selectSecret(db, accountId);
  if (!enrolled || enrolled.enabledAt !== null) throw failedPrecondition('two-factor.not-enrolled');
  const given = readCode(text);
  const isRight = await throttle.guess(visitor, { what: 'code', ...sessionOf(person) }, async () => ({
    accountId,
    isRight: given !== undefined && findTimeStep(keyring, enrolled, given.code, now) !== undefined,
  }));
  if (!isRight || !given) throw permissionDenied('sign-in.wrong-code');
  const { ended, codes } = await db.begin(async (tx) => {
    await lockAccount(tx, accountId);
    const secret = await selectSecret(tx, accountId);
    const isTaken = secret && (await takeTimeCode(tx, keyring, secret, given.code, now));
    if (!isTaken || !(await updateSecretEnabled(tx, accountId, now))) {
      throw failedPrecondition('two-factor.changed');
    }
    return {
      ended: await deleteSessionsOf(tx, accountId, person),
      codes: await replaceRecoveryCodes(tx, random, accountId),
    };
  });
  announceEnd(live, ended);
  return codes;
}

/** @throws ApiError 400 while two-factor sign-in is off */
export async function renewRecoveryCodes(
  { db, random }: AccountDeps,
  { accountId }: Person,
): Promise<RecoveryCodes> {
  return db.begin(async (tx) => {
    await lockAccount(tx, accountId);
    if ((await selectSecret(tx, accountId))?.enabledAt == null) throw isOff();
    return replaceRecoveryCodes(tx, random, accountId);
  });
}

/**
 * Also forgets a secret that was never confirmed.
 *
 * @param extraWrites of an operator, in the same transaction
 * @throws ApiError 400 when there is none
 */
export async function disableTwoFactor(
  { db }: OperatorAccountDeps,
  accountId: string,
  extraWrites?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await deleteSecret(tx, accountId))) throw isOff();
    await deleteRecoveryCodes(tx, accountId);
    await extraWrites?.(tx);
  });
}

/**
 * Another recovery code for somebody who lost the rest; the operator passes it on.
 *
 * @param extraWrites further writes in the same transaction
 * @throws ApiError 404; 400 while two-factor sign-in is off
 */
export async function makeRecoveryCode(
  { db, random }: AccountDeps,
  accountId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<string> {
  const [recoveryCode = ''] = makeRecoveryCodes(random);
  await db.begin(async (tx) => {
    if (!(await lockLogin(tx, accountId))) throw notFound('account.unknown');
    if ((await selectSecret(tx, accountId))?.enabledAt == null) throw isOff();
    await insertRecoveryCodes(tx, accountId, [hashRecoveryCode(accountId, recoveryCode)]);
    await extraWrites(tx);
  });
  return recoveryCode;
}

async function replaceRecoveryCodes(tx: Tx, random: Random, accountId: string): Promise<RecoveryCodes> {
  const recoveryCodes = makeRecoveryCodes(random);
  const hashes = recoveryCodes.map((code) => hashRecoveryCode(accountId, code));
  await deleteRecoveryCodes(tx, accountId);
  await insertRecoveryCodes(tx, accountId, hashes);
  return { recoveryCodes };
}

function isOff() {
  return failedPrecondition('two-factor.off');
}
