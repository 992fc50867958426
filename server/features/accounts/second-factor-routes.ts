import { ACCOUNT } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountDeps } from './deps.ts';
import {
  addPasskey,
  askForNewPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './second-factor/passkeys.ts';
import {
  confirmTwoFactor,
  disableTwoFactor,
  enrolTwoFactor,
  renewRecoveryCodes,
  showTwoFactor,
} from './second-factor/two-factor.ts';
import { askToConfirmByPasskey, confirm } from './sign-in/confirm.ts';

/** Confirming one's identity again in an existing session. */
export function confirmRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'POST /confirm': async ({ person, browser, body }) => {
        await confirm(deps, person, browser, body);
        return {};
      },
      'POST /confirm/passkey/options': ({ person, browser }) => askToConfirmByPasskey(deps, person, browser),
    }),
  ];
}

/** A person's passkeys. */
export function passkeyRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'GET /passkeys': ({ person }) => listPasskeys(deps, person),
      'POST /passkeys/options': ({ person, browser }) => askForNewPasskey(deps, person, browser),
      'POST /passkeys': ({ person, browser, body }) => addPasskey(deps, person, browser, body),
      'PATCH /passkeys/:passkeyId': ({ person, params, body }) =>
        renamePasskey(deps, person, { ...params, ...body }),
      'DELETE /passkeys/:passkeyId': async ({ person, params }) => {
        await removePasskey(deps, person, params.passkeyId);
        return {};
      },
    }),
  ];
}

/** Codes beside the password. */
export function twoFactorRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'GET /two-factor': ({ person }) => showTwoFactor(deps, person),
      'POST /two-factor/enrol': ({ person }) => enrolTwoFactor(deps, person),
      'POST /two-factor/confirm': ({ person, browser, body }) =>
        confirmTwoFactor(deps, person, browser, body.code),
      'POST /two-factor/recovery-codes': ({ person }) => renewRecoveryCodes(deps, person),
      'DELETE /two-factor': async ({ person }) => {
        await disableTwoFactor(deps, person);
        return {};
      },
    }),
  ];
}
