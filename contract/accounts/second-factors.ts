import { type Static, Type } from 'typebox';
import { GivenPassword } from '../accounts.ts';
import { visibleText } from '../fields.ts';

/** How many recovery codes a person gets at once. */
export const RECOVERY_CODES = 10;

/** How long a passkey's name may be, in Unicode code points. */
export const PASSKEY_NAME_LENGTH = 64;

const Base64Url = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

/** A ticket that the server issues with a challenge or a first step; the client returns it with the answer. */
const Ticket = Type.String({ maxLength: 4096 });

/** Six digits of the authenticator application, or a recovery code. Spaces and hyphens are ignored. */
const SecondFactorCode = Type.String({ maxLength: 64 });

export const PasskeyId = Base64Url(1366);

const PublicKeyCredential = {
  id: PasskeyId,
  rawId: PasskeyId,
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 64 })),
  clientExtensionResults: Type.Object({}),
};

/** The result of `startRegistration()` of `@simplewebauthn/browser` (`RegistrationResponseJSON` of WebAuthn 3). */
export const PasskeyRegistration = Type.Object({
  ...PublicKeyCredential,
  response: Type.Object({
    clientDataJSON: Base64Url(8192),
    attestationObject: Base64Url(32_768),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
});

export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

/** The result of `startAuthentication()` of `@simplewebauthn/browser` (`AuthenticationResponseJSON` of WebAuthn 3). */
export const PasskeyAssertion = Type.Object({
  ...PublicKeyCredential,
  response: Type.Object({
    clientDataJSON: Base64Url(8192),
    authenticatorData: Base64Url(8192),
    signature: Base64Url(8192),
    userHandle: Type.Optional(Base64Url(128)),
  }),
});

export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

/** Options for the browser, as `@simplewebauthn/browser` takes them in `optionsJSON`. */
const BrowserOptions = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

/** `data` of every route that asks for a passkey: `options` for the browser, and the ticket for the answer. */
export const PasskeyQuestion = Type.Object({
  ticket: Ticket,
  expiresAt: Type.Integer({ description: 'Epoch milliseconds, 5 minutes from now.' }),
  options: BrowserOptions,
});

export type PasskeyQuestion = Static<typeof PasskeyQuestion>;

export const AddPasskey = Type.Object({
  ticket: Ticket,
  name: visibleText(PASSKEY_NAME_LENGTH),
  response: PasskeyRegistration,
});

export type AddPasskey = Static<typeof AddPasskey>;

export const RenamePasskey = Type.Object({ name: visibleText(PASSKEY_NAME_LENGTH) });

/** A passkey as its owner sees it. Times are epoch milliseconds. */
export const Passkey = Type.Object({
  passkeyId: PasskeyId,
  name: Type.String(),
  createdAt: Type.Integer(),
  lastUsedAt: Type.Optional(Type.Integer()),
  isSynced: Type.Boolean({ description: 'Whether the passkey is backed up and may be on several devices.' }),
});

export type Passkey = Static<typeof Passkey>;

/** `data` of `GET /api/auth/passkeys`, the oldest first. */
export const Passkeys = Type.Array(Passkey);

export const SignInByPasskey = Type.Object({ ticket: Ticket, response: PasskeyAssertion });

export type SignInByPasskey = Static<typeof SignInByPasskey>;

/** Body of `POST /api/auth/sign-in/code`: the second step, if the first one returned a ticket. */
export const SignInByCode = Type.Object({ ticket: Ticket, code: SecondFactorCode });

/**
 * Body of `POST /api/auth/confirm`: one of password, code, or passkey (ticket and response). It counts as a fresh sign-in,
 * which secrets and deletion require.
 */
export const Confirm = Type.Object({
  password: Type.Optional(GivenPassword),
  code: Type.Optional(SecondFactorCode),
  passkey: Type.Optional(SignInByPasskey),
});

export type Confirm = Static<typeof Confirm>;

/** `data` of `GET /api/auth/two-factor`. `enabledAt` (epoch milliseconds) is present while codes are required. */
export const TwoFactor = Type.Object({
  isOn: Type.Boolean(),
  enabledAt: Type.Optional(Type.Integer()),
  recoveryCodesLeft: Type.Integer(),
});

export type TwoFactor = Static<typeof TwoFactor>;

/** `data` of `POST /api/auth/two-factor/enrol`: shown once; the URI is for a QR code. */
export const TwoFactorSecret = Type.Object({ secret: Type.String(), uri: Type.String() });

export type TwoFactorSecret = Static<typeof TwoFactorSecret>;

/** Body of `POST /api/auth/two-factor/confirm`: a code from the authenticator application. */
export const ConfirmTwoFactor = Type.Object({ code: SecondFactorCode });

/** `data` of a request that creates recovery codes: shown only once; each code works once. */
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

export type RecoveryCodes = Static<typeof RecoveryCodes>;
