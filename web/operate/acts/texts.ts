import type { OperatorActName } from '#contract/operate.ts';
import { defineTexts } from '../../ui/texts.ts';

export const actTexts = defineTexts(
  {
    lead: 'What operators and the command line did. Entries are added and never changed.',
    none: 'Nothing was done yet',
    commandLine: 'The command line',
    export: 'Export',
  },
  {
    lead: 'Was Operatoren und die Kommandozeile getan haben. Einträge kommen dazu und ändern sich nie.',
    none: 'Es ist noch nichts geschehen',
    commandLine: 'Die Kommandozeile',
    export: 'Exportieren',
  },
);

export const actNames = defineTexts<Record<OperatorActName, string>>(
  {
    'operator.added': 'named an operator',
    'operator.removed': 'removed an operator',
    'person.suspended': 'suspended a person',
    'person.suspension-lifted': 'lifted a person’s suspension',
    'person.signed-out': 'signed a person out everywhere',
    'person.deleted': 'deleted an account',
    'person.password-link-made': 'made a link to a new password',
    'person.recovery-code-made': 'made a recovery code',
    'application.suspended': 'suspended an application',
    'application.unsuspended': 'lifted an application’s suspension',
    'application.quota-changed': 'changed a quota',
    'report.decided': 'decided a report',
    'account.added': 'made an account',
    'person.email-confirmed': 'confirmed an e-mail address',
    'invitation.made': 'made an invitation',
    'invitation.revoked': 'revoked an invitation',
    'conversation.held': 'put a conversation under a legal hold',
    'conversation.released': 'released a conversation from its hold',
    'trail.exported': 'exported this trail',
  },
  {
    'operator.added': 'hat einen Operator ernannt',
    'operator.removed': 'hat einen Operator entlassen',
    'person.suspended': 'hat eine Person gesperrt',
    'person.suspension-lifted': 'hat die Sperre einer Person aufgehoben',
    'person.signed-out': 'hat eine Person überall abgemeldet',
    'person.deleted': 'hat ein Konto gelöscht',
    'person.password-link-made': 'hat einen Link zu einem neuen Passwort erzeugt',
    'person.recovery-code-made': 'hat einen Wiederherstellungscode erzeugt',
    'application.suspended': 'hat eine Anwendung gesperrt',
    'application.unsuspended': 'hat die Sperre einer Anwendung aufgehoben',
    'application.quota-changed': 'hat ein Kontingent geändert',
    'report.decided': 'hat über eine Meldung entschieden',
    'account.added': 'hat ein Konto angelegt',
    'person.email-confirmed': 'hat eine E-Mail-Adresse bestätigt',
    'invitation.made': 'hat eine Einladung erzeugt',
    'invitation.revoked': 'hat eine Einladung widerrufen',
    'conversation.held': 'hat die Aufbewahrung einer Unterhaltung angeordnet',
    'conversation.released': 'hat die Aufbewahrung einer Unterhaltung beendet',
    'trail.exported': 'hat dieses Protokoll exportiert',
  },
);
