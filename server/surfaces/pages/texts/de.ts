import { translate } from '#contract/texts.ts';
import german from '#locales/de.json' with { type: 'json' };
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
  thenYouDecide: 'Danach entscheidest du über die Anwendung, die dich hierher geschickt hat.',

  enterACode: 'Code eingeben',
  code: 'Code',
  codeHint: 'Sechs Ziffern aus deiner Authenticator-App oder einer deiner Wiederherstellungscodes.',
  beginAgain: 'Neu beginnen',

  accountNotCreated: 'Konto nicht angelegt',
  name: 'Name',
  nameHint: 'Ihn sehen die Menschen, denen du schreibst.',
  passwordHint: (min, max) => `${min} bis ${max} Zeichen.`,
  createAccount: 'Konto anlegen',
  haveAnAccount: 'Du hast schon ein Konto?',

  wantedName: 'Gib einen Namen mit 1 bis 64 Zeichen ein.',
  wantedEmail: 'Gib eine E-Mail-Adresse ein, etwa ada@example.com.',
  wantedCode: 'Gib den Code ein.',
  wantedPassword: (min, max) => `Gib ein Passwort mit ${min} bis ${max} Zeichen ein.`,
  leakedPassword:
    'Dieses Passwort steht auf den Listen geleakter Passwörter, die Angreifer zuerst versuchen. Wähle ein anderes.',
  wrongPassword: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  signUpClosed: 'Hier kann im Moment niemand ein Konto anlegen.',
  signUpByInvitation: 'Um hier ein Konto anzulegen, brauchst du den Link einer Einladung.',
  signUpByDomain: (domains) => `Hier kannst du nur mit einer Adresse von ${domains} ein Konto anlegen.`,
  acceptTerms: 'Ich nehme die Nutzungsbedingungen an',
  checkMail: 'Sieh in deine Mails',
  checkMailDetail: (email) =>
    `An ${email} ging ein Link. Folge ihm und melde dich dann an. Wenn du einen neuen brauchst, melde dich an.`,
  takenEmail: 'Zu dieser Adresse gibt es schon ein Konto: Melde dich unten an, oder gib eine andere ein.',
  tooManyAttempts: (minutes) =>
    `Zu viele Versuche. Versuche es ${minutes <= 1 ? 'in einer Minute' : `in ${minutes} Minuten`} wieder.`,
  wrongCode: 'Dieser Code ist falsch oder wurde bereits benutzt. Warte auf den nächsten.',
  tookTooLong: 'Das hat zu lange gedauert, oder du bist schon angemeldet. Beginne neu.',

  signOutHere: 'Abmelden?',
  signOutHereDetail:
    'Eine Anwendung bittet dich, dich hier abzumelden. Anwendungen, bei denen du angemeldet bist, erfahren davon.',
  signOut: 'Abmelden',
  staySignedIn: 'Angemeldet bleiben',
  signedOut: 'Du bist abgemeldet',
  signedOutDetail: 'Du kannst die Seite schließen.',
  logoutNotRightDetail:
    'Die Anwendung hat dich mit einer Adresse hierher geschickt, die nicht eingetragen ist. An deiner Anmeldung hat sich nichts geändert.',
  signInTo: (name) => html`Bei ${name} anmelden?`,
  letAct: (name) => html`Darf ${name} für dich handeln?`,
  namelessApplication: 'Eine Anwendung ohne Namen',
  namelessPerson: 'du',
  signedInAs: 'Angemeldet als',
  useAnotherAccount: 'Anderes Konto verwenden',
  ifYouApprove: 'Wenn du zustimmst, kann sie:',
  grantedBefore: 'Bereits erlaubt',
  allowedEarlier: 'Das hast du früher erlaubt, und es gilt weiterhin:',
  beforeYouDecide: 'Bevor du entscheidest',
  goesOnTo: (host) => html`Ob du zustimmst oder ablehnst: Dein Browser wird zu ${host} geleitet.`,
  unregistered: 'Hier nicht eingetragen.',
  publishedAt: (host) =>
    html`Ihren Namen hat die Anwendung selbst gewählt. Was von ihr bekannt ist, stammt von ${host}:`,
  onDevice:
    'Sie gibt an, auf diesem Gerät zu laufen; als sie ausgeben kann sich dort jedes Programm. Stimme nur zu, wenn du sie gerade selbst verbinden wolltest.',
  approveOnlyIf:
    'Stimme nur zu, wenn du diese Adresse kennst und der Anwendung vertraust: Ihren Namen hat niemand geprüft. In den Einstellungen des Chats kannst du ihr den Zugriff jederzeit entziehen, unter „Verbundene Anwendungen“.',
  deny: 'Ablehnen',
  approve: 'Zustimmen',

  scopeOpenId: 'Dich anmelden',
  scopeOpenIdDetail: 'Sie erfährt deine Benutzer-ID, und wann und wie du dich hier angemeldet hast.',
  scopeEmail: 'Deine E-Mail-Adresse sehen',
  scopeEmailDetail: 'Nur wenn du bestätigt hast, dass es deine ist.',
  scopeProfile: 'Sehen, wer du bist',
  scopeProfileDetail: 'Deine Benutzer-ID, deinen Namen und dein Foto. Nicht deine E-Mail-Adresse.',
  scopeStoriesRead: 'Deine Storys sehen',
  scopeStoriesReadDetail: 'Nur deine eigenen, nicht die anderer Menschen.',
  scopeStoriesWrite: 'Deine Storys veröffentlichen und löschen',
  scopeStoriesWriteDetail: 'Was sie veröffentlicht, erscheint unter deinem Namen.',
  scopePolls: 'Umfragen anlegen und darin abstimmen',
  scopePollsDetail:
    'Unter deinem Namen, in deinen Gruppen und privaten Chats. Sie kann Umfragen schließen, die du angelegt hast.',
  scopeGroups: 'Deine Gruppen verwalten und darin schreiben',
  scopeGroupsDetail:
    'Unter deinem Namen: Gruppen und Broadcast-Listen anlegen, darin schreiben und sie verlassen; wo du Administrator bist, sie auch ändern oder löschen und Menschen aufnehmen oder entfernen.',

  confirmAlerts: 'Warnungen hierher senden?',
  confirmAlertsDetail: (name) =>
    `Jemand hat deine E-Mail-Adresse für Warnungen angegeben, wenn Ereignisse der Anwendung „${name}“ nicht zugestellt werden können.`,
  confirmAlertsButton: 'Ja, an mich senden',
  confirmAlertsElse:
    'Wenn du damit nicht gerechnet hast, schließe die Seite. Ohne deine Bestätigung bekommst du keine Warnungen.',
  alertsConfirmed: 'Warnungen gehen an dich',
  alertsConfirmedDetail: 'Wem die Anwendung gehört, kann deine Adresse jederzeit wieder entfernen.',
  confirmEmail: 'Ist das deine Adresse?',
  confirmEmailDetail: (email, name) =>
    `Mit ${email} meldet sich das Konto von „${name}“ an, und dorthin gehen seine Mails.`,
  confirmEmailButton: 'Ja, es ist meine',
  confirmEmailElse: 'Wenn du hier kein Konto hast, schließe die Seite.',
  emailConfirmed: 'Deine Adresse ist bestätigt',
  emailConfirmedDetail: 'Du kannst diese Seite schließen oder dich mit der Adresse anmelden.',
  emailLinkGoneDetail:
    'Er ist älter als 7 Tage, oder das Konto hat inzwischen eine andere Adresse. In den Einstellungen deines Kontos kannst du eine neue Mail anfordern.',
  linkGone: 'Dieser Link gilt nicht',
  linkGoneDetail:
    'Er ist älter als 7 Tage, es wurde ein neuerer gesendet, oder die Adresse wurde entfernt. Wem die Anwendung gehört, kann einen neuen senden.',

  detail: 'Angaben für den Support:',
  serverSays: ({ reason, values, message }) =>
    translate({ language: 'de', ...german }, reason, values) ?? message,
  notFromHere: 'Anfrage abgelehnt',
  notFromHereDetail:
    'Dieses Formular kam von der Seite eines anderen Anbieters, daher wurde nichts geändert. Geh zurück und benutze unsere eigene Seite.',
  nothingHere: 'Seite nicht gefunden',
  nothingHereDetail: 'Diese Seite gibt es nicht, oder sie wurde entfernt.',
  tooMany: 'Zu viele Versuche',
  tooManyDetail: 'Warte einen Augenblick und versuche es dann noch einmal.',
  busy: 'Vorübergehend nicht verfügbar',
  busyDetail: 'Warte einen Augenblick und versuche es dann noch einmal.',
  notRight: 'Ungültige Anfrage',
  notRightDetail: 'Es wurde nichts geändert. Geh zurück und versuche es noch einmal.',
  wentWrong: 'Etwas ist schiefgegangen',
  wentWrongDetail: 'Der Fehler liegt bei uns. Versuche es gleich noch einmal.',

  unknownApplication: 'Unbekannte Anwendung',
  unknownApplicationDetail:
    'Die Anwendung, die dich hierher geschickt hat, gibt es nicht, oder sie ist abgeschaltet. Es wurde ihr nichts erlaubt.',
  authorizeNotRightDetail:
    'Es wurde nichts erlaubt. Geh zurück zu der Anwendung, die dich hierher geschickt hat, und versuche es noch einmal; hilft das nicht, sag es ihrem Entwickler.',
  sessionEnded: 'Du bist nicht mehr angemeldet',
  sessionEndedDetail: 'Es wurde nichts erlaubt. Geh zurück zu der Anwendung und beginne neu.',
};
