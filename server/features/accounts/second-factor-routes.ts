import type { Confirm, PasskeyQuestion } from '#contract/accounts/second-factors.ts';
import { ACCOUNT } from '#contract/api/auth.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, invalidArgument, permissionDenied } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountDeps } from './deps.ts';
import type { AuthenticationMethod } from './rules.ts';
import {
  addPasskey,
  askForNewPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './second-factor/passkeys.ts';
import {
  askForPasskey,
  findRelyingParty,
  provePasskey,
  redeemPasskey,
} from './second-factor/prove-passkey.ts';
import {
  confirmTwoFactor,
  disableTwoFactor,
  enrolTwoFactor,
  renewRecoveryCodes,
  showTwoFactor,
  takeCode,
} from './second-factor/two-factor.ts';
import { selectPasskeys } from './second-factor/two-factor-queries.ts';
import { updateSessionAuthenticated } from './sessions/queries.ts';
import { type Person, sessionEnded, sessionOf } from './sessions/session.ts';
import { provePassword } from './sign-in/passwords.ts';
import type { Visitor } from './throttle/throttle.ts';

/** Confirming one's identity again in an existing session, a person's passkeys, and codes beside the password. */
export function secondFactorRoutes(deps: AccountDeps) {
  return serve(ACCOUNT, {
    'POST /confirm': ({ person, browser, body }) => confirm(deps, person, browser, body),
    'GET /recent-sign-in': () => ({}),
    'POST /confirm/passkey/options': ({ person, browser }) => askToConfirmByPasskey(deps, person, browser),
    'GET /passkeys': ({ person }) => listPasskeys(deps, person),
    'POST /passkeys/options': ({ person, browser }) => askForNewPasskey(deps, person, browser),
    'POST /passkeys': ({ person, browser, body }) => addPasskey(deps, person, browser, body),
    'PATCH /passkeys/:passkeyId': ({ person, params, body }) =>
      renamePasskey(deps, person, { ...params, ...body }),
    'DELETE /passkeys/:passkeyId': ({ person, params }) => removePasskey(deps, person, params.passkeyId),
    'GET /two-factor': ({ person }) => showTwoFactor(deps, person),
    'POST /two-factor/enrol': ({ person }) => enrolTwoFactor(deps, person),
    'POST /two-factor/confirm': ({ person, browser, body }) =>
      confirmTwoFactor(deps, person, browser, body.code),
    'POST /two-factor/recovery-codes': ({ person }) => renewRecoveryCodes(deps, person),
    'DELETE /two-factor': ({ person }) => disableTwoFactor(deps, person.accountId),
  });
}

/** Asks for one of the person's own passkeys. @throws ApiError 400 when there is none */
async function askToConfirmByPasskey(
  deps: AccountDeps,
  person: Person,
  { site }: Visitor,
): Promise<PasskeyQuestion> {
  const party = findRelyingParty(deps.config, site);
  const among = await selectPasskeys(deps.db, person.accountId);
  if (among.length === 0) throw failedPrecondition('passkey.none');
  return askForPasskey(deps, party, { purpose: 'passkey-confirmation', holder: person, among });
}

/**
 * Renews the sign-in time of the session, for routes that require a recent sign-in. A wrong answer is 403,
 * not 401: the session is still valid, and a client must not treat it as ended.
 *
 * @throws ApiError 400, 403, 429
 */
async function confirm(deps: AccountDeps, person: Person, visitor: Visitor, given: Confirm): Promise<void> {
  const { password, code, passkey } = given;
  if ([password, code, passkey].filter((one) => one !== undefined).length !== 1) {
    throw invalidArgument('body', 'needs-proof');
  }
  if (password !== undefined) {
    await provePassword(deps, person, visitor, password);
    await deps.db.begin((tx) => renew(tx, deps, person, 'pwd'));
  } else if (code !== undefined) {
    await confirmByCode(deps, person, visitor, code);
  } else if (passkey !== undefined) {
    const party = findRelyingParty(deps.config, visitor.site);
    const proven = await provePasskey(deps, party, passkey, {
      purpose: 'passkey-confirmation',
      holder: person,
    });
    await deps.db.begin(async (tx) => {
      const isAccepted = proven && (await redeemPasskey(tx, proven, deps.clock.now()));
      if (!isAccepted) throw permissionDenied('sign-in.passkey-refused');
      await renew(tx, deps, person, 'pop');
    });
  }
}

async function confirmByCode(
  deps: AccountDeps,
  person: Person,
  visitor: Visitor,
  text: string,
): Promise<void> {
  const { db, clock, keyring, throttle } = deps;
  const { accountId } = person;
  const guess = { what: 'code', ...sessionOf(person) } as const;
  const isRight = await throttle.guess(visitor, guess, async () => ({
    accountId,
    isRight: await db.begin(async (tx) => {
      if (!(await takeCode(tx, keyring, { accountId, text, now: clock.now() }))) return false;
      await renew(tx, deps, person, 'otp');
      return true;
    }),
  }));
  if (!isRight) throw permissionDenied('sign-in.wrong-code');
}

async function renew(
  tx: Tx,
  { clock }: AccountDeps,
  person: Person,
  method: AuthenticationMethod,
): Promise<void> {
  const now = clock.now();
  if (!(await updateSessionAuthenticated(tx, person, { now, method }))) throw sessionEnded();
}
