import { ACCOUNT } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { Accounts } from '../index.ts';

/** Confirming one's identity again in an existing session. */
export function confirmRoutes(accounts: Accounts) {
  return [
    serve(ACCOUNT, {
      'POST /confirm': async ({ person, browser, body }) => {
        await accounts.confirm(person, browser, body);
        return {};
      },
      'POST /confirm/passkey/options': ({ person, browser }) =>
        accounts.askToConfirmByPasskey(person, browser),
    }),
  ];
}

/** A person's passkeys. */
export function passkeyRoutes(accounts: Accounts) {
  return [
    serve(ACCOUNT, {
      'GET /passkeys': ({ person }) => accounts.listPasskeys(person),
      'POST /passkeys/options': ({ person, browser }) => accounts.askForNewPasskey(person, browser),
      'POST /passkeys': ({ person, browser, body }) => accounts.addPasskey(person, browser, body),
      'PATCH /passkeys/:passkeyId': ({ person, params, body }) =>
        accounts.renamePasskey(person, { ...params, ...body }),
      'DELETE /passkeys/:passkeyId': async ({ person, params }) => {
        await accounts.removePasskey(person, params.passkeyId);
        return {};
      },
    }),
  ];
}

/** Codes beside the password. */
export function twoFactorRoutes(accounts: Accounts) {
  return [
    serve(ACCOUNT, {
      'GET /two-factor': ({ person }) => accounts.showTwoFactor(person),
      'POST /two-factor/enrol': ({ person }) => accounts.enrolTwoFactor(person),
      'POST /two-factor/confirm': ({ person, browser, body }) =>
        accounts.confirmTwoFactor(person, browser, body.code),
      'POST /two-factor/recovery-codes': ({ person }) => accounts.renewRecoveryCodes(person),
      'DELETE /two-factor': async ({ person }) => {
        await accounts.disableTwoFactor(person);
        return {};
      },
    }),
  ];
}
