import { type Static, Type } from 'typebox';
import { visibleName } from './fields.ts';
import { UserId } from './ids.ts';
import { LANGUAGE_CODES } from './languages.ts';

const EMAIL_LENGTH = 254;
/** How long a person's name may be, in Unicode code points. */
export const PERSON_NAME_LENGTH = 64;

/** How long a new password is, in Unicode code points; there are no composition rules. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

const Email = Type.String({ maxLength: EMAIL_LENGTH, examples: ['ada@example.com'] });
const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });

/** A password to be checked, exactly as typed. */
export const GivenPassword = Type.String({ maxLength: PASSWORD_LENGTH.max });

/** The opaque id of a session, from the list of sessions. It is no credential. */
const SessionId = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });

export const ForgottenPassword = Type.Object({ email: Email, language: Type.Enum(LANGUAGE_CODES) });

/** `data` of `POST /api/auth/password/forgotten`: the same for every address. */
export const ResetMail = Type.Object({
  isMailed: Type.Boolean({
    description: 'Whether this server sends mail. If not, its operator resets the password.',
  }),
});

/** Body of `POST /api/auth/password/reset`, with the ticket from the mailed link. */
export const ResetPassword = Type.Object({
  ticket: Type.String({ maxLength: 1024 }),
  newPassword: NewPassword,
});

/** Body of `POST /api/auth/sign-up`: a new person. Passwords have 8 to 128 characters and no further rules. */
export const SignUp = Type.Object({
  email: Email,
  password: NewPassword,
  name: visibleName(PERSON_NAME_LENGTH),
  language: Type.Optional(
    Type.Enum(LANGUAGE_CODES, { description: 'Language of the mail that confirms the address.' }),
  ),
  invitation: Type.Optional(Type.String({ maxLength: 64, description: 'The token in the invitation link.' })),
  acceptedTerms: Type.Optional(
    Type.String({ maxLength: 2048, description: 'The address of the terms that were accepted.' }),
  ),
});

/** Who may sign up at a server. */
export const SIGN_UP_POLICIES = ['open', 'invitation', 'domains', 'provider', 'closed'] as const;

/** `data` of `GET /api/auth/sign-up`: the rules for new accounts. */
export const SignUpRules = Type.Object({
  policy: Type.Enum(SIGN_UP_POLICIES),
  domains: Type.Optional(
    Type.Array(Type.String(), { description: 'Domains of the addresses that may sign up.' }),
  ),
  termsUrl: Type.Optional(Type.String({ description: 'The terms that a new person has to accept.' })),
  sendsMail: Type.Boolean({ description: 'Whether new addresses have to be confirmed by mail.' }),
});

export type SignUpRules = Static<typeof SignUpRules>;

/** An invitation to sign up; its link is shown once. */
export const SignUpInvitation = Type.Object({
  invitationId: Type.String(),
  note: Type.String(),
  uses: Type.Integer(),
  used: Type.Integer(),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  expiresAt: Type.Integer({ description: 'Epoch milliseconds.' }),
});

export type SignUpInvitation = Static<typeof SignUpInvitation>;

/** Body of `POST /api/auth/terms`: which terms are accepted. */
export const AcceptTerms = Type.Object({ termsUrl: Type.String({ maxLength: 2048 }) });

/** Body of `POST /api/auth/email`: a new address to sign in with. */
export const ChangeEmail = Type.Object({ email: Email, language: Type.Enum(LANGUAGE_CODES) });

/** Body of `POST /api/auth/email/confirmation`: sends the link again. */
export const ConfirmEmail = Type.Object({ language: Type.Enum(LANGUAGE_CODES) });

/** `data` of both: whether a link was mailed. A new address takes effect once the link is followed, or immediately if no mail is sent. */
export const ConfirmationMail = Type.Object({ isMailed: Type.Boolean() });

export const SignIn = Type.Object({
  email: Email,
  password: GivenPassword,
  language: Type.Optional(
    Type.Enum(LANGUAGE_CODES, { description: 'Language of any mail that has to be sent.' }),
  ),
});

/** Body of `POST /api/auth/password`: ends every other session of the person. */
export const ChangePassword = Type.Object({ currentPassword: GivenPassword, newPassword: NewPassword });

export const RevokeSession = Type.Object({ sessionId: SessionId });

/** `data` of sign-up, of every completed sign-in and of `GET /api/auth/session`: who is signed in. */
export const SignedIn = Type.Object({
  account: Type.Object({
    accountId: UserId,
    name: Type.String(),
    email: Type.String(),
    termsToAccept: Type.Optional(
      Type.String({ description: 'In `GET /api/auth/session`: terms that the person has not accepted yet.' }),
    ),
  }),
});

/** `data` of `POST /api/auth/sign-up`. Without `account` there is no session before the address is confirmed. */
export const SignUpStep = Type.Object({
  account: Type.Optional(SignedIn.properties.account),
  emailConfirmation: Type.Optional(
    Type.Object({ email: Type.String({ description: 'The address to which the link was mailed.' }) }),
  ),
});

/**
 * `data` of `POST /api/auth/sign-in`: who is signed in or, if the person uses a second factor, the ticket for
 * `POST /api/auth/sign-in/code`. Without `account` there is no session yet.
 */
export const SignInStep = Type.Object({
  account: Type.Optional(SignedIn.properties.account),
  secondFactor: Type.Optional(
    Type.Object({
      ticket: Type.String(),
      expiresAt: Type.Integer({ description: 'Epoch milliseconds, 10 minutes from now.' }),
    }),
  ),
});

/** `data` of `GET /api/auth/sessions`: the 100 most recently used. Times are epoch milliseconds. */
export const Sessions = Type.Array(
  Type.Object({
    sessionId: SessionId,
    userAgent: Type.String({
      description: 'The `User-Agent` header at sign-in, at most 256 characters.',
    }),
    createdAt: Type.Integer(),
    lastSeenAt: Type.Integer({ description: 'Accurate to the minute.' }),
    isCurrent: Type.Boolean(),
  }),
);
