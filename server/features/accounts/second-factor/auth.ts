import { Type } from 'typebox';
import {
  AddPasskey,
  Confirm,
  ConfirmTwoFactor,
  Passkey,
  PasskeyParams,
  PasskeyQuestion,
  Passkeys,
  RecoveryCodes,
  RenamePasskey,
  TwoFactor,
  TwoFactorSecret,
} from '#contract/accounts/second-factors.ts';
import type { Accounts, OwnAccountRoutes } from '../index.ts';

const Done = Type.Object({});
const recent = { needsRecentSignIn: true } as const;

/** Confirming one's identity again in an existing session. */
export function confirmRoutes(routes: OwnAccountRoutes, accounts: Accounts): void {
  routes.post(
    '/confirm',
    { duringMaintenance: true, body: Confirm, reply: Done, message: 'sign-in confirmed' },
    async ({ person, browser, body }) => {
      await accounts.confirm(person, browser, body);
      return {};
    },
  );

  routes.post(
    '/confirm/passkey/options',
    { duringMaintenance: true, reply: PasskeyQuestion, message: 'ask for a passkey' },
    ({ person, browser }) => accounts.askToConfirmByPasskey(person, browser),
  );
}

/** A person's passkeys. */
export function passkeyRoutes(routes: OwnAccountRoutes, accounts: Accounts): void {
  routes.get('/passkeys', { reply: Passkeys, message: 'your passkeys' }, ({ person }) =>
    accounts.listPasskeys(person),
  );

  routes.post(
    '/passkeys/options',
    { ...recent, reply: PasskeyQuestion, message: 'make a passkey' },
    ({ person, browser }) => accounts.askForNewPasskey(person, browser),
  );

  routes.post(
    '/passkeys',
    { ...recent, body: AddPasskey, reply: Passkey, message: 'passkey added', status: 201 },
    ({ person, browser, body }) => accounts.addPasskey(person, browser, body),
  );

  routes.patch(
    '/passkeys/:passkeyId',
    { params: PasskeyParams, body: RenamePasskey, reply: Passkey, message: 'passkey renamed' },
    ({ person, params, body }) => accounts.renamePasskey(person, { ...params, ...body }),
  );

  routes.delete(
    '/passkeys/:passkeyId',
    { ...recent, params: PasskeyParams, reply: Done, message: 'passkey removed' },
    async ({ person, params }) => {
      await accounts.removePasskey(person, params.passkeyId);
      return {};
    },
  );
}

/** Codes beside the password. */
export function twoFactorRoutes(routes: OwnAccountRoutes, accounts: Accounts): void {
  routes.get('/two-factor', { reply: TwoFactor, message: 'your two-factor sign-in' }, ({ person }) =>
    accounts.showTwoFactor(person),
  );

  routes.post(
    '/two-factor/enrol',
    { ...recent, reply: TwoFactorSecret, message: 'confirm it with a code' },
    ({ person }) => accounts.enrolTwoFactor(person),
  );

  routes.post(
    '/two-factor/confirm',
    { ...recent, body: ConfirmTwoFactor, reply: RecoveryCodes, message: 'two-factor sign-in is on' },
    ({ person, browser, body }) => accounts.confirmTwoFactor(person, browser, body.code),
  );

  routes.post(
    '/two-factor/recovery-codes',
    { ...recent, reply: RecoveryCodes, message: 'new recovery codes' },
    ({ person }) => accounts.renewRecoveryCodes(person),
  );

  routes.delete(
    '/two-factor',
    { ...recent, reply: Done, message: 'two-factor sign-in is off' },
    async ({ person }) => {
      await accounts.disableTwoFactor(person);
      return {};
    },
  );
}
