import { type Static, Type } from 'typebox';
import {
  ChangeLanguage,
  ChangeProfile,
  CurrentInviteLink,
  DeleteAccount,
  Invitation,
  InviteLink,
  OwnProfile,
} from '../accounts/profiles.ts';
import { AtProvider, GoToProvider, Identities, SignInProviders } from '../accounts/providers.ts';
import {
  AddPasskey,
  Confirm,
  ConfirmTwoFactor,
  Passkey,
  PasskeyQuestion,
  Passkeys,
  RecoveryCodes,
  RenamePasskey,
  SignInByCode,
  SignInByPasskey,
  TwoFactor,
  TwoFactorSecret,
} from '../accounts/second-factors.ts';
import {
  AcceptTerms,
  ChangeEmail,
  ChangePassword,
  ConfirmationMail,
  ConfirmEmail,
  ForgottenPassword,
  ResetMail,
  ResetPassword,
  RevokeSession,
  Sessions,
  SignedIn,
  SignIn,
  SignInStep,
  SignUp,
  SignUpRules,
  SignUpStep,
} from '../accounts.ts';
import { Peer } from '../chat.ts';
import { endpoints } from '../endpoints.ts';
import { ByGroupLink, LinkedGroup } from '../group-links.ts';
import { MaintenanceState, ShownAnnouncements } from '../notices.ts';
import { Operating } from '../operate/acts.ts';

const Done = Type.Object({});

/** Signing up and in. */
export const SIGN_IN = endpoints('visitor', '/api/auth', {
  'POST /sign-up': {
    body: SignUp,
    reply: SignUpStep,
    message: (step: Static<typeof SignUpStep>) =>
      'emailConfirmation' in step ? 'account created; its address has to be confirmed' : 'account created',
    status: 201,
  },
  'GET /sign-up': { reply: SignUpRules, message: 'who may sign up' },
  'POST /sign-in': {
    duringMaintenance: true,
    body: SignIn,
    reply: SignInStep,
    message: (step: Static<typeof SignInStep>) =>
      'secondFactor' in step ? 'a code is to follow' : 'signed in',
  },
  'POST /sign-in/code': {
    duringMaintenance: true,
    body: SignInByCode,
    reply: SignedIn,
    message: 'signed in',
  },
  'POST /sign-in/passkey/options': {
    duringMaintenance: true,
    reply: PasskeyQuestion,
    message: 'ask for a passkey',
  },
  'POST /sign-in/passkey': {
    duringMaintenance: true,
    body: SignInByPasskey,
    reply: SignedIn,
    message: 'signed in',
  },
  'GET /providers': { reply: SignInProviders, message: 'how to sign in' },
  'POST /providers/:providerId': {
    duringMaintenance: true,
    body: GoToProvider,
    reply: AtProvider,
    message: 'sign in at the provider',
  },
  'POST /password/forgotten': {
    body: ForgottenPassword,
    reply: ResetMail,
    message: ({ isMailed }: Static<typeof ResetMail>) =>
      isMailed ? 'a mail was sent if the address has an account' : 'no mail is sent here',
  },
  'POST /password/reset': {
    body: ResetPassword,
    reply: Done,
    message: 'password changed; all sessions ended',
  },
  'GET /invitations/:token': { reply: Invitation, message: 'who invites' },
  'POST /group-links/show': { body: ByGroupLink, reply: LinkedGroup, message: 'the group of the link' },
  'POST /sign-out': { duringMaintenance: true, reply: Done, message: 'signed out' },
  'GET /maintenance': {
    reply: MaintenanceState,
    message: ({ maintenance }: Static<typeof MaintenanceState>) =>
      maintenance ? 'there is maintenance' : 'all is as usual',
  },
});

/** A signed-in person's own account. */
export const ACCOUNT = endpoints('account', '/api/auth', {
  'GET /profile': { reply: OwnProfile, message: 'your profile' },
  'PATCH /profile': { body: ChangeProfile, reply: OwnProfile, message: 'profile changed' },
  'PUT /language': { body: ChangeLanguage, reply: Done, message: 'language noted' },
  'GET /invite-link': { reply: CurrentInviteLink, message: 'your invite link' },
  'POST /invite-link': { reply: InviteLink, message: 'new invite link', status: 201 },
  'DELETE /invite-link': { reply: Done, message: 'invite link removed' },
  'GET /invites/:token': { reply: Peer, message: 'who is invited to write to' },
  'GET /export': { needs: 'recent-sign-in', isRaw: true },
  'POST /account/delete': {
    needs: 'recent-sign-in',
    body: DeleteAccount,
    reply: Done,
    message: 'account deleted',
  },
  'POST /confirm': { duringMaintenance: true, body: Confirm, reply: Done, message: 'sign-in confirmed' },
  'POST /confirm/passkey/options': {
    duringMaintenance: true,
    reply: PasskeyQuestion,
    message: 'ask for a passkey',
  },
  'POST /confirm/providers/:providerId': {
    duringMaintenance: true,
    body: GoToProvider,
    reply: AtProvider,
    message: 'confirm it at the provider',
  },
  'GET /identities': { reply: Identities, message: 'how the providers know you' },
  'POST /identities/:providerId': {
    needs: 'recent-sign-in',
    body: GoToProvider,
    reply: AtProvider,
    message: 'connect it at the provider',
  },
  'DELETE /identities/:providerId': { needs: 'recent-sign-in', reply: Done, message: 'disconnected' },
  'GET /passkeys': { reply: Passkeys, message: 'your passkeys' },
  'POST /passkeys/options': { needs: 'recent-sign-in', reply: PasskeyQuestion, message: 'make a passkey' },
  'POST /passkeys': {
    needs: 'recent-sign-in',
    body: AddPasskey,
    reply: Passkey,
    message: 'passkey added',
    status: 201,
  },
  'PATCH /passkeys/:passkeyId': { body: RenamePasskey, reply: Passkey, message: 'passkey renamed' },
  'DELETE /passkeys/:passkeyId': { needs: 'recent-sign-in', reply: Done, message: 'passkey removed' },
  'GET /two-factor': { reply: TwoFactor, message: 'your two-factor sign-in' },
  'POST /two-factor/enrol': {
    needs: 'recent-sign-in',
    reply: TwoFactorSecret,
    message: 'confirm it with a code',
  },
  'POST /two-factor/confirm': {
    needs: 'recent-sign-in',
    body: ConfirmTwoFactor,
    reply: RecoveryCodes,
    message: 'two-factor sign-in is on',
  },
  'POST /two-factor/recovery-codes': {
    needs: 'recent-sign-in',
    reply: RecoveryCodes,
    message: 'new recovery codes',
  },
  'DELETE /two-factor': { needs: 'recent-sign-in', reply: Done, message: 'two-factor sign-in is off' },
  'GET /session': { reply: SignedIn, message: 'you are signed in' },
  'POST /terms': { body: AcceptTerms, reply: Done, message: 'terms accepted' },
  'GET /sessions': { reply: Sessions, message: 'your sessions' },
  'POST /sessions/revoke': {
    duringMaintenance: true,
    body: RevokeSession,
    reply: Done,
    message: 'session ended',
  },
  'POST /sign-out-everywhere': { duringMaintenance: true, reply: Done, message: 'signed out everywhere' },
  'POST /password': {
    body: ChangePassword,
    reply: Done,
    message: 'password changed; all other sessions ended',
  },
  'POST /email': {
    needs: 'recent-sign-in',
    body: ChangeEmail,
    reply: ConfirmationMail,
    message: ({ isMailed }: { isMailed: boolean }) => (isMailed ? 'mail sent' : 'no mail was sent'),
  },
  'POST /email/confirmation': {
    body: ConfirmEmail,
    reply: ConfirmationMail,
    message: ({ isMailed }: { isMailed: boolean }) => (isMailed ? 'mail sent' : 'no mail was sent'),
  },
  'GET /recent-sign-in': { needs: 'recent-sign-in', reply: Done, message: 'you signed in recently' },
  'GET /operating': { reply: Operating, message: 'whether you operate this server' },
  'GET /announcements': { reply: ShownAnnouncements, message: 'announcements' },
});
