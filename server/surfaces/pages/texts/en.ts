import type { Said } from '#contract/reasons.ts';
import { type Html, html } from '../html.ts';

/** English texts of the pages that the server renders. The type check ensures that other languages are complete. */
export const en = {
  language: 'Language',

  signIn: 'Sign in',
  notSignedIn: 'Not signed in',
  email: 'E-mail address',
  password: 'Password',
  newHere: 'New here?',
  createAnAccount: 'Create an account',
  thenYouDecide: 'You decide about the application that sent you here in the next step.',

  enterACode: 'Enter a code',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or one of your recovery codes.',
  beginAgain: 'Start over',

  accountNotCreated: 'Account not created',
  name: 'Name',
  nameHint: 'Shown to the people you write to.',
  passwordHint: (min: number, max: number) => `${min} to ${max} characters.`,
  createAccount: 'Create account',
  haveAnAccount: 'Already have an account?',

  wantedName: 'Enter a name of 1 to 64 characters.',
  wantedEmail: 'Enter an e-mail address, such as ada@example.com.',
  wantedCode: 'Enter the code.',
  wantedPassword: (min: number, max: number) => `Enter a password of ${min} to ${max} characters.`,
  leakedPassword:
    'This password is on lists of leaked passwords, which attackers try first. Choose another one.',
  wrongPassword: 'The e-mail address or the password is wrong.',
  signUpClosed: 'Nobody can create an account here at the moment.',
  signUpByInvitation: 'You need an invitation link to create an account here.',
  signUpByDomain: (domains: string) => `Only addresses of ${domains} can create an account here.`,
  acceptTerms: 'I accept the terms of use',
  checkMail: 'Check your mail',
  checkMailDetail: (email: string) =>
    `A link was sent to ${email}. Follow it, then sign in. To get another one, sign in.`,
  takenEmail: 'There is already an account with this address. Sign in below, or enter another address.',
  tooManyAttempts: (minutes: number) =>
    `Too many attempts. Try again ${minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`}.`,
  wrongCode: 'This code is wrong or was already used. Wait for the next one.',
  tookTooLong: 'This took too long, or you are already signed in. Start over.',

  signOutHere: 'Sign out?',
  signOutHereDetail:
    'An application asks you to sign out here. Applications that you signed in to are notified.',
  signOut: 'Sign out',
  staySignedIn: 'Stay signed in',
  signedOut: 'You are signed out',
  signedOutDetail: 'You can close this page.',
  logoutNotRightDetail:
    'The application sent you here with an address that is not registered. Nothing was changed.',
  signInTo: (name: Html | string) => html`Sign in to ${name}?`,
  letAct: (name: Html | string) => html`Let ${name} act for you?`,
  namelessApplication: 'An unnamed application',
  namelessPerson: 'you',
  signedInAs: 'Signed in as',
  useAnotherAccount: 'Use another account',
  ifYouApprove: 'If you approve, it can:',
  grantedBefore: 'Already granted',
  allowedEarlier: 'You granted this earlier, and it still applies:',
  beforeYouDecide: 'Before you decide',
  goesOnTo: (host: Html) => html`Whether you approve or deny, your browser will go to ${host}.`,
  unregistered: 'Not registered here.',
  publishedAt: (host: Html) =>
    html`The application chose its name itself. All that is known about it comes from ${host}:`,
  onDevice:
    'It says that it runs on this device, where any program can pretend to be it. Approve only if you have just asked it to connect.',
  approveOnlyIf:
    'Approve only if you know this address and trust the application: nobody has checked its name. You can end its access at any time in the chat’s settings, under “Connected applications”.',
  deny: 'Deny',
  approve: 'Approve',

  scopeOpenId: 'Sign you in',
  scopeOpenIdDetail: 'It learns your user id, and when and how you signed in here.',
  scopeEmail: 'See your e-mail address',
  scopeEmailDetail: 'Only once you have confirmed that it is yours.',
  scopeProfile: 'See who you are',
  scopeProfileDetail: 'Your user id, your name and your photo. Not your e-mail address.',
  scopeStoriesRead: 'See your stories',
  scopeStoriesReadDetail: 'Only your own, not those of other people.',
  scopeStoriesWrite: 'Publish and delete your stories',
  scopeStoriesWriteDetail: 'What it publishes appears under your name.',
  scopePolls: 'Create polls and vote in them',
  scopePollsDetail:
    'Under your name, in your groups and private chats. It can close the polls that you created.',
  scopeGroups: 'Manage your groups and write in them',
  scopeGroupsDetail:
    'Under your name: create groups and broadcast lists, write in them and leave them; where you are administrator, also change or delete them, and add or remove people.',

  confirmAlerts: 'Send alerts here?',
  confirmAlertsDetail: (name: string) =>
    `Somebody entered your e-mail address for alerts about events of the application “${name}” that cannot be delivered.`,
  confirmAlertsButton: 'Yes, send them to me',
  confirmAlertsElse:
    'If you did not expect this, close the page. Without your confirmation you get no alerts.',
  alertsConfirmed: 'Alerts will be sent to you',
  alertsConfirmedDetail: 'The owner of the application can remove your address at any time.',
  confirmEmail: 'Is this your address?',
  confirmEmailDetail: (email: string, name: string) =>
    `With ${email}, the account of “${name}” signs in and gets its mail.`,
  confirmEmailButton: 'Yes, it is mine',
  confirmEmailElse: 'If you have no account here, close the page.',
  emailConfirmed: 'Your address is confirmed',
  emailConfirmedDetail: 'You can close this page, or sign in with the address.',
  emailLinkGoneDetail:
    'It is older than 7 days, or the account has another address by now. In the settings of your account you can ask for another mail.',
  linkGone: 'This link is not valid',
  linkGoneDetail:
    'It is older than 7 days, a newer one was sent, or the address was removed. The owner of the application can send another.',

  detail: 'Details for support:',
  serverSays: ({ message }: Said): string => message,
  notFromHere: 'Request refused',
  notFromHereDetail:
    'This form was sent by a page of another site, so nothing was changed. Go back and use our own page.',
  nothingHere: 'Page not found',
  nothingHereDetail: 'This page does not exist or was removed.',
  tooMany: 'Too many attempts',
  tooManyDetail: 'Wait a moment, then try again.',
  busy: 'Temporarily unavailable',
  busyDetail: 'Wait a moment, then try again.',
  notRight: 'Invalid request',
  notRightDetail: 'Nothing was changed. Go back and try again.',
  wentWrong: 'Something went wrong',
  wentWrongDetail: 'The error is on our side. Try again in a moment.',

  unknownApplication: 'Unknown application',
  unknownApplicationDetail:
    'The application that sent you here does not exist or is disabled. Nothing was granted to it.',
  authorizeNotRightDetail:
    'Nothing was granted. Go back to the application that sent you here and try again; if that does not help, tell its developer.',
  sessionEnded: 'You are no longer signed in',
  sessionEndedDetail: 'Nothing was granted. Go back to the application and start over.',
};

type SameShape<T> = {
  [K in keyof T]: T[K] extends (...values: infer V) => infer R ? (...values: V) => R : string;
};

/** All texts of the pages that the server renders, in one language. */
export type PageTexts = SameShape<typeof en>;
