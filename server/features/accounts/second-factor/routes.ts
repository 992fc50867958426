import { Type } from 'typebox';
import { Success } from '#contract/envelope.ts';
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
} from '#contract/second-factors.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { askToConfirmByPasskey, confirm } from '../sign-in/confirm.ts';
import { visitor } from '../sign-in/routes.ts';
import type { Throttle } from '../sign-in/throttle.ts';
import { addPasskey, askForNewPasskey, listPasskeys, removePasskey, renamePasskey } from './passkeys.ts';
import { findRelyingParty } from './relying-party.ts';
import {
  confirmTwoFactor,
  disableTwoFactor,
  enrolTwoFactor,
  renewRecoveryCodes,
  showTwoFactor,
} from './two-factor.ts';

type Deps = Platform & { throttle: Throttle; cookie: SessionCookie };

const Done = Success(Type.Object({}));
const recent = { needsRecentSignIn: true };

/** How a person proves once more who it is, in the session that there is. */
export function confirmRoutes(app: App, deps: Deps): void {
  const { clock, cookie, config } = deps;

  app.post('/confirm', { schema: { body: Confirm, response: { 200: Done } } }, async (request) => {
    const { person, body: given } = request;
    const party = () => findRelyingParty(config, request);
    await confirm(deps, person, visitor(request, cookie), { given, party });
    return success(clock.now(), 'sign-in confirmed', {});
  });

  app.post(
    '/confirm/passkey/options',
    { schema: { response: { 200: Success(PasskeyQuestion) } } },
    async (request) => {
      const question = await askToConfirmByPasskey(deps, findRelyingParty(config, request), request.person);
      return success(clock.now(), 'ask for a passkey', question);
    },
  );
}

/** A person's passkeys. */
export function passkeyRoutes(app: App, deps: Deps): void {
  const { db, clock, config } = deps;

  app.get('/passkeys', { schema: { response: { 200: Success(Passkeys) } } }, async ({ person }) =>
    success(clock.now(), 'your passkeys', await listPasskeys(db, person.accountId)),
  );

  app.post(
    '/passkeys/options',
    { config: recent, schema: { response: { 200: Success(PasskeyQuestion) } } },
    async (request) => {
      const question = await askForNewPasskey(deps, findRelyingParty(config, request), request.person);
      return success(clock.now(), 'make a passkey', question);
    },
  );

  app.post(
    '/passkeys',
    { config: recent, schema: { body: AddPasskey, response: { 201: Success(Passkey) } } },
    async (request, reply) => {
      const party = findRelyingParty(config, request);
      const passkey = await addPasskey(deps, party, request.person, request.body);
      return reply.code(201).send(success(clock.now(), 'passkey added', passkey));
    },
  );

  app.patch(
    '/passkeys/:passkeyId',
    { schema: { params: PasskeyParams, body: RenamePasskey, response: { 200: Success(Passkey) } } },
    async ({ person, params, body }) => {
      const passkey = await renamePasskey(deps, person.accountId, { ...params, ...body });
      return success(clock.now(), 'passkey renamed', passkey);
    },
  );

  app.delete(
    '/passkeys/:passkeyId',
    { config: recent, schema: { params: PasskeyParams, response: { 200: Done } } },
    async ({ person, params }) => {
      await removePasskey(deps, person.accountId, params.passkeyId);
      return success(clock.now(), 'passkey removed', {});
    },
  );
}

/** Codes beside the password. */
export function twoFactorRoutes(app: App, deps: Deps): void {
  const { db, clock, cookie } = deps;

  app.get('/two-factor', { schema: { response: { 200: Success(TwoFactor) } } }, async ({ person }) =>
    success(clock.now(), 'your two-factor sign-in', await showTwoFactor(db, person)),
  );

  app.post(
    '/two-factor/enrol',
    { config: recent, schema: { response: { 200: Success(TwoFactorSecret) } } },
    async ({ person }) => success(clock.now(), 'confirm it with a code', await enrolTwoFactor(deps, person)),
  );

  app.post(
    '/two-factor/confirm',
    { config: recent, schema: { body: ConfirmTwoFactor, response: { 200: Success(RecoveryCodes) } } },
    async (request) => {
      const { person, body } = request;
      const codes = await confirmTwoFactor(deps, person, visitor(request, cookie), body.code);
      return success(clock.now(), 'two-factor sign-in is on', codes);
    },
  );

  app.post(
    '/two-factor/recovery-codes',
    { config: recent, schema: { response: { 200: Success(RecoveryCodes) } } },
    async ({ person }) => success(clock.now(), 'new recovery codes', await renewRecoveryCodes(deps, person)),
  );

  app.delete('/two-factor', { config: recent, schema: { response: { 200: Done } } }, async ({ person }) => {
    await disableTwoFactor(deps, person);
    return success(clock.now(), 'two-factor sign-in is off', {});
  });
}
