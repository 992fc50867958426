import { toGerman } from '#contract/german/translate.ts';
import { html } from '../html.ts';
import type { PageTexts } from './en.ts';

export const de: PageTexts = {
  language: 'Sprache',

  signIn: 'Anmelden',
  notSignedIn: 'Nicht angemeldet',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newHere: 'Neu hier?',
  createAnAccount: 'Konto anlegen',
  thenYouDecide: 'Danach entscheiden Sie über die Anwendung, die Sie hierher geschickt hat.',

  enterACode: 'Code eingeben',
  code: 'Code',
  codeHint: 'Sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
  beginAgain: 'Neu beginnen',

  accountNotCreated: 'Konto nicht angelegt',
  name: 'Name',
  nameHint: 'Ihn sehen die Menschen, denen Sie schreiben.',
  passwordHint: (min, max) => `${min} bis ${max} Zeichen.`,
  createAccount: 'Konto anlegen',
  haveAnAccount: 'Sie haben schon ein Konto?',

  wantedName: 'Geben Sie einen Namen mit 1 bis 64 Zeichen ein.',
  wantedEmail: 'Geben Sie eine E-Mail-Adresse ein, etwa ada@example.com.',
  wantedCode: 'Geben Sie den Code ein.',
  wantedPassword: (min, max) => `Geben Sie ein Passwort mit ${min} bis ${max} Zeichen ein.`,
  leakedPassword:
    'Dieses Passwort steht auf den Listen geleakter Passwörter, die Angreifer zuerst versuchen. Wählen Sie ein anderes.',
  wrongPassword: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  signUpClosed: 'Hier kann im Moment niemand ein Konto anlegen.',
  signUpByInvitation: 'Um hier ein Konto anzulegen, brauchen Sie den Link einer Einladung.',
  signUpByDomain: (domains) => `Hier können Sie nur mit einer Adresse von ${domains} ein Konto anlegen.`,
  acceptTerms: 'Ich nehme die Nutzungsbedingungen an',
  checkMail: 'Sehen Sie in Ihre Mails',
  checkMailDetail: (email) =>
    `An ${email} ging ein Link. Folgen Sie ihm und melden Sie sich dann an. Melden Sie sich an, um einen neuen zu bekommen.`,
  takenEmail:
    'Zu dieser Adresse gibt es schon ein Konto: Melden Sie sich unten an, oder geben Sie eine andere ein.',
  tooManyAttempts: (minutes) =>
    `Zu viele Versuche. Versuchen Sie es ${minutes <= 1 ? 'in einer Minute' : `in ${minutes} Minuten`} wieder.`,
  wrongCode: 'Dieser Code ist falsch oder wurde bereits benutzt. Warten Sie auf den nächsten.',
  tookTooLong: 'Das hat zu lange gedauert, oder Sie sind schon angemeldet. Beginnen Sie neu.',

  signOutHere: 'Abmelden?',
  signOutHereDetail:
    'Eine Anwendung bittet Sie, sich hier abzumelden. Anwendungen, bei denen Sie angemeldet sind, erfahren davon.',
  signOut: 'Abmelden',
  staySignedIn: 'Angemeldet bleiben',
  signedOut: 'Sie sind abgemeldet',
  signedOutDetail: 'Sie können die Seite schließen.',
  logoutNotRightDetail:
    'Die Anwendung hat Sie mit einer Adresse hierher geschickt, die nicht eingetragen ist. An Ihrer Anmeldung hat sich nichts geändert.',
  signInTo: (name) => html`Bei ${name} anmelden?`,
  letAct: (name) => html`Darf ${name} für Sie handeln?`,
  namelessApplication: 'Eine Anwendung ohne Namen',
  namelessPerson: 'Sie',
  signedInAs: 'Angemeldet als',
  useAnotherAccount: 'Anderes Konto verwenden',
  ifYouApprove: 'Wenn Sie zustimmen, kann sie:',
  grantedBefore: 'Bereits erlaubt',
  allowedEarlier: 'Das haben Sie früher erlaubt, und es gilt weiterhin:',
  beforeYouDecide: 'Bevor Sie entscheiden',
  goesOnTo: (host) => html`Ob Sie zustimmen oder ablehnen: Ihr Browser wird zu ${host} geleitet.`,
  unregistered: 'Hier nicht eingetragen.',
  publishedAt: (host) =>
    html`Ihren Namen hat die Anwendung selbst gewählt. Was von ihr bekannt ist, stammt von ${host}:`,
  onDevice:
    'Sie gibt an, auf diesem Gerät zu laufen; als sie ausgeben kann sich dort jedes Programm. Stimmen Sie nur zu, wenn Sie sie gerade selbst verbinden wollten.',
  approveOnlyIf:
    'Stimmen Sie nur zu, wenn Sie diese Adresse kennen und der Anwendung vertrauen: Ihren Namen hat niemand geprüft. Im Chat können Sie ihr den Zugriff jederzeit entziehen, unter „Verbundene Anwendungen“.',
  deny: 'Ablehnen',
  approve: 'Zustimmen',

  scopeOpenId: 'Sie anmelden',
  scopeOpenIdDetail: 'Sie erfährt Ihre Benutzer-ID, und wann und wie Sie sich hier angemeldet haben.',
  scopeEmail: 'Ihre E-Mail-Adresse sehen',
  scopeEmailDetail: 'Nur wenn Sie bestätigt haben, dass es Ihre ist.',
  scopeProfile: 'Sehen, wer Sie sind',
  scopeProfileDetail: 'Ihre Benutzer-ID, Ihren Namen und Ihr Foto. Nicht Ihre E-Mail-Adresse.',
  scopeStoriesRead: 'Ihre Storys sehen',
  scopeStoriesReadDetail: 'Nur Ihre eigenen, nicht die anderer Menschen.',
  scopeStoriesWrite: 'Ihre Storys veröffentlichen und löschen',
  scopeStoriesWriteDetail: 'Was sie veröffentlicht, erscheint unter Ihrem Namen.',
  scopePolls: 'Umfragen anlegen und darin abstimmen',
  scopePollsDetail:
    'Unter Ihrem Namen, in Ihren Gruppen und privaten Chats. Sie kann Umfragen schließen, die Sie angelegt haben.',
  scopeGroups: 'Ihre Gruppen verwalten und darin schreiben',
  scopeGroupsDetail:
    'Unter Ihrem Namen: Gruppen und Broadcast-Listen anlegen, darin schreiben und sie verlassen; wo Sie Administrator sind, sie auch ändern oder löschen und Menschen aufnehmen oder entfernen.',

  confirmAlerts: 'Warnungen hierher senden?',
  confirmAlertsDetail: (name) =>
    `Jemand hat Ihre E-Mail-Adresse für Warnungen angegeben, wenn Ereignisse der Anwendung „${name}“ nicht zugestellt werden können.`,
  confirmAlertsButton: 'Ja, an mich senden',
  confirmAlertsElse:
    'Wenn Sie damit nicht gerechnet haben, schließen Sie die Seite. Ohne Ihre Bestätigung bekommen Sie keine Warnungen.',
  alertsConfirmed: 'Warnungen gehen an Sie',
  alertsConfirmedDetail: 'Wem die Anwendung gehört, kann Ihre Adresse jederzeit wieder entfernen.',
  confirmEmail: 'Ist das Ihre Adresse?',
  confirmEmailDetail: (email, name) =>
    `Mit ${email} meldet sich das Konto von „${name}“ an, und dorthin gehen seine Mails.`,
  confirmEmailButton: 'Ja, es ist meine',
  confirmEmailElse: 'Wenn Sie hier kein Konto haben, schließen Sie die Seite.',
  emailConfirmed: 'Ihre Adresse ist bestätigt',
  emailConfirmedDetail: 'Sie können diese Seite schließen oder sich mit der Adresse anmelden.',
  emailLinkGoneDetail:
    'Er ist älter als 7 Tage, oder das Konto hat inzwischen eine andere Adresse. In den Einstellungen Ihres Kontos können Sie eine neue Mail anfordern.',
  linkGone: 'Dieser Link gilt nicht',
  linkGoneDetail:
    'Er ist älter als 7 Tage, es wurde ein neuerer gesendet, oder die Adresse wurde entfernt. Wem die Anwendung gehört, kann einen neuen senden.',

  detail: 'Angaben für den Support:',
  serverSays: ({ reason, values, message }) => toGerman(reason, values) ?? message,
  notFromHere: 'Anfrage abgelehnt',
  notFromHereDetail:
    'Dieses Formular kam von der Seite eines anderen Anbieters, daher wurde nichts geändert. Gehen Sie zurück und benutzen Sie unsere eigene Seite.',
  nothingHere: 'Seite nicht gefunden',
  nothingHereDetail: 'Diese Seite gibt es nicht, oder sie wurde entfernt.',
  tooMany: 'Zu viele Versuche',
  tooManyDetail: 'Warten Sie einen Augenblick und versuchen Sie es dann noch einmal.',
  busy: 'Vorübergehend nicht verfügbar',
  busyDetail: 'Warten Sie einen Augenblick und versuchen Sie es dann noch einmal.',
  notRight: 'Ungültige Anfrage',
  notRightDetail: 'Es wurde nichts geändert. Gehen Sie zurück und versuchen Sie es noch einmal.',
  wentWrong: 'Etwas ist schiefgegangen',
  wentWrongDetail: 'Der Fehler liegt bei uns. Versuchen Sie es gleich noch einmal.',

  unknownApplication: 'Unbekannte Anwendung',
  unknownApplicationDetail:
    'Die Anwendung, die Sie hierher geschickt hat, gibt es nicht, oder sie ist abgeschaltet. Es wurde ihr nichts erlaubt.',
  authorizeNotRightDetail:
    'Es wurde nichts erlaubt. Gehen Sie zurück zu der Anwendung, die Sie hierher geschickt hat, und versuchen Sie es noch einmal; hilft das nicht, sagen Sie es ihrem Entwickler.',
  sessionEnded: 'Sie sind nicht mehr angemeldet',
  sessionEndedDetail: 'Es wurde nichts erlaubt. Gehen Sie zurück zu der Anwendung und beginnen Sie neu.',
};
