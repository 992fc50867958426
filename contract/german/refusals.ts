/** Messages of refused requests: the sentences that begin with the name of no field, or that are whole with it. */
export const REFUSALS = {
  'Content-Encoding is not supported: send the body as it is':
    'Content-Encoding wird nicht unterstützt: Inhalt unverändert senden',
  'Content-Length is required': 'Content-Length fehlt',
  'Content-Type must be {type}': 'Content-Type muss {type} sein',
  'Idempotency-Key must be 1 to 255 visible ASCII characters, sent once':
    'Idempotency-Key muss einmal vorkommen und aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen',
  'Idempotency-Key was used with another request': 'Idempotency-Key wurde mit einer anderen Anfrage benutzt',
  'Range names no part of the file': 'Range nennt keinen Teil der Datei',
  '{count} pings, simulations and audits per minute are enough':
    '{count} Pings, Simulationen und Prüfungen in der Minute sind genug',
  '{count} mails a day ask one address to confirm':
    '{count} E-Mails am Tag bitten eine Adresse um Bestätigung',
  '{count} tests of alert contacts per hour are enough':
    '{count} Tests von Warnkontakten in der Stunde sind genug',
  'a broadcast list has no administrators': 'Eine Broadcast-Liste hat keine Admins',
  'a group has at most {count} members': 'Eine Gruppe hat höchstens {count} Mitglieder',
  'a person may have {count} passkeys; remove one first':
    'Ein Mensch darf {count} Passkeys haben; zuerst einen entfernen',
  'a ping is not sent again: send a new one': 'Ein Ping wird nicht noch einmal gesendet: einen neuen senden',
  'an account may have {count} applications; delete one first':
    'Ein Konto darf {count} Anwendungen haben; zuerst eine löschen',
  'an application has at most {count} alert contacts': 'Eine Anwendung hat höchstens {count} Warnkontakte',
  'an application may have {count} redirect URIs; remove one first':
    'Eine Anwendung darf {count} Redirect-URIs haben; zuerst eine entfernen',
  'an application was created meanwhile; try again':
    'Inzwischen wurde eine Anwendung angelegt; noch einmal versuchen',
  'appId names no application that you let in': 'Diese Anwendung hat keinen Zugriff auf dieses Konto',
  'appId names none of your applications': 'Diese Anwendung gibt es unter deinen nicht',
  'at most {count} uploads run at the same time': 'Höchstens {count} Uploads laufen gleichzeitig',
  'body has more than {count} bytes': 'Die Datei hat mehr als {count} Bytes',
  'body is too large': 'Die Anfrage ist zu groß',
  'code_challenge is missing, but code_challenge_method is there':
    'code_challenge fehlt, obwohl code_challenge_method da ist',
  'contactId names none of the alert contacts': 'Diesen Warnkontakt gibt es nicht',
  'elementId names nothing that you see': 'Dieser Teil der Story ist nicht zu sehen',
  'email already has an account': 'Zu dieser E-Mail-Adresse gibt es schon ein Konto',
  'email has no account': 'Zu dieser E-Mail-Adresse gibt es kein Konto',
  'email or password is wrong': 'Die E-Mail-Adresse oder das Passwort ist falsch',
  'eventId names no event of this application': 'Dieses Ereignis gibt es bei dieser Anwendung nicht',
  'grantId names no grant of yours': 'Diese Freigabe gibt es nicht',
  'groupId names no group': 'Diese Gruppe gibt es nicht',
  'groupId or receiverId is required': 'groupId oder receiverId fehlt',
  'kind is {kind}, but the file is none that browsers show':
    'Als {kind} ist angekündigt, was kein Browser so zeigen kann',
  'memberId names no member of this group': 'Dieser Mensch ist kein Mitglied dieser Gruppe',
  'mentionedUserIds names somebody who is not a member of this group':
    'Erwähnt ist jemand, der kein Mitglied dieser Gruppe ist',
  'messageId names no poll there': 'Diese Umfrage gibt es dort nicht',
  'msgId names no message of this conversation': 'Diese Nachricht gibt es in dieser Unterhaltung nicht',
  'only administrators write in this group': 'In dieser Gruppe schreiben nur Admins',
  'only an administrator of this group may do this': 'Das dürfen nur Admins dieser Gruppe',
  'only the creator of a poll closes it': 'Eine Umfrage beendet nur, wer sie gestellt hat',
  'only the creator writes in a broadcast list':
    'In einer Broadcast-Liste schreibt nur, wer sie angelegt hat',
  'optionId names no option of this poll': 'Diese Antwort gibt es in der Umfrage nicht',
  'passkeyId names none of your passkeys': 'Diesen Passkey gibt es unter deinen nicht',
  'passkeys work where this server has its name: over https at PUBLIC_URL, or at http://localhost':
    'Passkeys gehen nur unter dem Namen dieses Servers: über https an PUBLIC_URL, oder an http://localhost',
  'redirectUri is not registered': 'Diese Redirect-URI ist nicht eingetragen',
  'redirect_uri is not registered for this application':
    'redirect_uri ist bei dieser Anwendung nicht eingetragen',
  'redirect_uri is not registered for this application any more':
    'redirect_uri ist bei dieser Anwendung nicht mehr eingetragen',
  'replyToMsgId names no message of this conversation':
    'Die zitierte Nachricht gibt es in dieser Unterhaltung nicht',
  'sessionId is not one of your sessions': 'Diese Sitzung gibt es unter deinen nicht',
  'storyId names no story': 'Diese Story gibt es nicht mehr',
  'storyId names the story of somebody else': 'Diese Story gehört jemand anderem',
  'the URL is not valid': 'Die Adresse ist ungültig',
  'the account changed meanwhile; try again': 'Das Konto hat sich inzwischen geändert; noch einmal versuchen',
  'the account of this credential is deleted': 'Das Konto zu diesem Zugang ist gelöscht',
  'the account of this session is deleted': 'Das Konto zu dieser Sitzung ist gelöscht',
  'the account was deleted': 'Das Konto wurde gelöscht',
  'the application already has a bot': 'Die Anwendung hat schon einen Bot',
  'the application has no bot': 'Die Anwendung hat keinen Bot',
  'the application has no bot: create one first': 'Die Anwendung hat keinen Bot: zuerst einen anlegen',
  'the application has no webhook URL: set one first':
    'Die Anwendung hat keine Webhook-Adresse: zuerst eine setzen',
  'the application is not active any more': 'Die Anwendung ist nicht mehr aktiv',
  'the application is suspended by the platform team and cannot be {verb} from the console':
    'Die Anwendung ist vom Betreiber gesperrt und kann in der Konsole nicht {verb} werden',
  'the application is {state}, and its events are not recorded':
    'Die Anwendung ist {state}; ihre Ereignisse werden nicht aufgezeichnet',
  'the application is {state}, and no webhook is sent':
    'Die Anwendung ist {state}; kein Webhook wird gesendet',
  'the application of this API key has no bot': 'Die Anwendung dieses API-Schlüssels hat keinen Bot',
  'the application {appId} is {state}': 'Die Anwendung {appId} ist {state}',
  'no account has the id in `{field}`': 'Diesen Menschen gibt es nicht',
  'no account that you know has the id in `userId`': 'Diesen Menschen kennst du nicht',
  'the code is wrong': 'Der Code ist falsch',
  'the creator cannot leave a broadcast list; delete it instead':
    'Wer eine Broadcast-Liste angelegt hat, kann sie nicht verlassen, aber löschen',
  'the only administrator cannot be demoted; promote somebody else first':
    'Der einzige Admin kann die Rechte nicht abgeben; zuerst jemand anderen zum Admin machen',
  'the passkey was not accepted; try again': 'Der Passkey wurde nicht angenommen; noch einmal versuchen',
  'the password is wrong': 'Das Passwort ist falsch',
  'the poll is closed': 'Die Umfrage ist beendet',
  'the store of uploads does not answer; try again':
    'Der Speicher für hochgeladene Dateien antwortet nicht; noch einmal versuchen',
  'the service is busy or its database is away; try again':
    'Der Server ist gerade überlastet oder hat keine Datenbank; noch einmal versuchen',
  'the service is stopping': 'Der Server wird gerade beendet',
  'the session has ended: sign in again': 'Die Sitzung ist zu Ende: neu anmelden',
  'the sign-in is over 10 minutes old: confirm that it is you (POST /api/auth/confirm)':
    'Die Anmeldung ist über 10 Minuten her: bestätigen, dass du es bist',
  'the sign-in took too long or has ended: begin again':
    'Die Anmeldung hat zu lange gedauert oder ist zu Ende: von vorn beginnen',
  'the user blocked this bot': 'Dieser Mensch hat den Bot blockiert',
  'the user never wrote to this bot': 'Dieser Mensch hat dem Bot nie geschrieben',
  'there are {count} open {kind} already': 'Es sind schon {count} {kind} offen',
  'there is no application {appId}': 'Die Anwendung {appId} gibt es nicht',
  'there is no session, or it has ended: sign in': 'Niemand ist angemeldet, oder die Sitzung ist zu Ende',
  'there is no such application, or it is not active':
    'Diese Anwendung gibt es nicht, oder sie ist nicht aktiv',
  'there is no such conversation': 'Diese Unterhaltung gibt es nicht',
  'there is no such file': 'Diese Datei gibt es nicht',
  'there is no such path': 'Diesen Pfad gibt es nicht',
  'there is no two-factor sign-in to confirm: enrol first':
    'Es gibt keine Zwei-Faktor-Anmeldung zu bestätigen: zuerst einrichten',
  'there is no {method} {path}': '{method} {path} gibt es nicht',
  'there must be one Host header, not {count}': 'Es muss ein einziger Host-Header sein, nicht {count}',
  'this is more than you may upload in a day': 'Das ist mehr, als an einem Tag hochgeladen werden darf',
  'this link leads to nobody, or not any more': 'Dieser Link führt zu niemandem, oder nicht mehr',
  'this passkey is there already': 'Diesen Passkey gibt es schon',
  'this person does not take messages from you': 'Dieser Mensch nimmt von dir keine Nachrichten an',
  'this question is decided already': 'Über diese Frage ist schon entschieden',
  'this question is too old': 'Diese Frage ist zu alt',
  'this question was put to somebody else, or was changed on its way':
    'Diese Frage galt jemand anderem oder wurde unterwegs geändert',
  'this request comes from a page of another site': 'Diese Anfrage kommt von einer fremden Seite',
  'too many {what}': 'Zu viele {what}',
  'two-factor sign-in changed meanwhile; try again':
    'Die Zwei-Faktor-Anmeldung hat sich inzwischen geändert; noch einmal versuchen',
  'two-factor sign-in is off': 'Die Zwei-Faktor-Anmeldung ist aus',
  'two-factor sign-in is on already; turn it off first':
    'Die Zwei-Faktor-Anmeldung ist schon an; zuerst ausschalten',
  'a stored value that this needs cannot be read; the operator can find it in the log':
    'Etwas Gespeichertes, das hierfür nötig ist, kann nicht gelesen werden; der Betreiber findet es im Protokoll',
  'the webhook URL cannot be read: set it again':
    'Die Webhook-Adresse kann nicht gelesen werden: sie noch einmal setzen',
  'the webhook secret cannot be read: make a new one':
    'Das Webhook-Secret kann nicht gelesen werden: ein neues erzeugen',
  'your codes cannot be checked any more: use a recovery code, then set two-factor sign-in up again':
    'Deine Codes lassen sich nicht mehr prüfen: einen Wiederherstellungscode verwenden, dann die Zwei-Faktor-Anmeldung neu einrichten',
  'unexpected error; quote request id {id} when you report it':
    'Unerwarteter Fehler; beim Melden die Anfrage {id} nennen',
  'username is taken': 'Der Benutzername ist vergeben',
  'username names no bot': 'Einen Bot mit diesem Benutzernamen gibt es nicht',
  'you are not a member of this group': 'Du bist kein Mitglied dieser Gruppe',
  'you are not a participant of this chat': 'Du nimmst an dieser Unterhaltung nicht teil',
  'you blocked this account; unblock it to write': 'Du hast dieses Konto blockiert; zum Schreiben freigeben',
  'you are sending messages very fast': 'Du schreibst sehr schnell',
  'you are uploading files very fast': 'Du lädst sehr schnell Dateien hoch',
  'you have added many people today who never wrote to you':
    'Du hast heute viele Menschen hinzugefügt, die dir nie geschrieben haben',
  'you have created many groups today': 'Du hast heute viele Gruppen erstellt',
  'you have no passkey': 'Du hast keinen Passkey',
  'you have written a lot to people who have not answered yet':
    'Du hast viel an Menschen geschrieben, die noch nicht geantwortet haben',
  'you have written to many new people today': 'Du hast heute vielen neuen Menschen geschrieben',
  'your account is deleted': 'Das angemeldete Konto ist gelöscht',
  '{field} names a bot; bots do not write to bots': 'Das ist ein Bot; Bots schreiben keinen Bots',
  '{field} names somebody who blocked this bot': 'Darunter ist jemand, der diesen Bot blockiert hat',
  '{field} names somebody who does not exist': 'Darunter ist jemand, den es nicht gibt',
  '{field} names somebody who never wrote to this bot':
    'Darunter ist jemand, der diesem Bot nie geschrieben hat',
  '{field} names somebody whose settings do not let you add them to groups':
    'Darunter ist jemand, der nicht von dir zu Gruppen hinzugefügt werden will',
};
