import { type Html, html } from '../html.ts';

/** What the server's own pages say in English. The other languages have the same texts, or the type check fails. */
export const en = {
  language: 'Language',

  signIn: 'Sign in',
  notSignedIn: 'Not signed in',
  email: 'E-mail address',
  password: 'Password',
  newHere: 'New here?',
  createAnAccount: 'Create an account',
  thenYouDecide: 'Then you decide about the application that sent you here.',

  enterACode: 'Enter a code',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or one of your recovery codes.',
  beginAgain: 'Begin again',

  accountNotCreated: 'Account not created',
  name: 'Name',
  nameHint: 'Shown to the people you write to.',
  passwordHint: (min: number, max: number) => `${min} to ${max} characters of any kind.`,
  createAccount: 'Create account',
  haveAnAccount: 'Already have an account?',

  wantedName: 'Enter a name of 1 to 64 characters.',
  wantedEmail: 'Enter an e-mail address, such as ada@example.com.',
  wantedCode: 'Enter the code.',
  wantedPassword: (min: number, max: number) => `Enter a password of ${min} to ${max} characters.`,
  leakedPassword:
    'This password is on the lists of leaked ones that attackers try first. Choose another one.',
  wrongPassword: 'The e-mail address or the password is wrong.',
  takenEmail: 'This address already has an account: sign in below, or enter another.',
  tooManyAttempts: (minutes: number) =>
    `Too many attempts. Try again ${minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`}.`,
  wrongCode: 'This code is wrong, or was used before. Wait for the next one.',
  tookTooLong: 'This took too long, or you have signed in already. Begin again.',

  letAct: (name: Html | string) => html`Let ${name} act for you?`,
  namelessApplication: 'An application without a name',
  namelessPerson: 'you',
  signedInAs: 'Signed in as',
  useAnotherAccount: 'Use another account',
  ifYouApprove: 'If you approve, it can:',
  grantedBefore: 'Granted before',
  allowedEarlier: 'You allowed it earlier, and it still can:',
  beforeYouDecide: 'Before you decide',
  goesOnTo: (host: Html) => html`Whether you approve or deny, your browser goes on to ${host}.`,
  approveOnlyIf:
    'Approve only if you know this address and trust the application: nobody has checked its name. You can end its access at any time in the chat, under connected applications.',
  deny: 'Deny',
  approve: 'Approve',

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
    `Somebody gave your e-mail address to be told when events of the application “${name}” cannot be delivered.`,
  confirmAlertsButton: 'Yes, send them to me',
  confirmAlertsElse: 'If you do not know of this, close the page: nothing more is sent to you.',
  alertsConfirmed: 'Alerts will be sent to you',
  alertsConfirmedDetail: 'The owner of the application can take your address out at any time.',
  linkGone: 'This link is not valid',
  linkGoneDetail:
    'It is older than 7 days, a newer one was sent, or the address was taken out. The owner of the application can send another.',

  detail: 'Detail for whoever looks into it:',
  serverSays: (english: string) => english,
  notFromHere: 'Not sent from here',
  notFromHereDetail:
    'This form was sent by a page of another site, so nothing was done. Go back and use our own page.',
  nothingHere: 'Nothing here',
  nothingHereDetail: 'There is no such page, or it is gone.',
  tooMany: 'Too many attempts',
  tooManyDetail: 'Wait a little, then try again.',
  busy: 'Busy at the moment',
  busyDetail: 'Wait a moment, then try again.',
  notRight: 'This request is not right',
  notRightDetail: 'Nothing was changed. Go back and try again.',
  wentWrong: 'Something went wrong',
  wentWrongDetail: 'The fault is on our side. Try again in a moment.',

  unknownApplication: 'Unknown application',
  unknownApplicationDetail:
    'The application that sent you here does not exist, or is switched off. Nothing was granted to it.',
  authorizeNotRightDetail:
    'Nothing was granted. Go back to the application that sent you here and try again; if that does not help, tell its developer.',
  sessionEnded: 'You are not signed in any more',
  sessionEndedDetail: 'Nothing was granted. Go back to the application and begin again.',
};

type SameShape<T> = {
  [K in keyof T]: T[K] extends (...values: infer V) => infer R ? (...values: V) => R : string;
};

/** All texts of the server's own pages, in one language. */
export type PageTexts = SameShape<typeof en>;
