import type { ContactKind, NoticeState } from '#contract/webhooks/alerts.ts';
import { defineTexts, plural } from '../../ui/texts.ts';

export const alertsTexts = defineTexts(
  {
    title: 'Alerts',
    lead: 'When an event is abandoned after its 8th attempt, these contacts are notified, at most once every 5 minutes.',
    contacts: 'Contacts',
    noContacts: 'No contacts yet',
    noContactsText: 'Add an e-mail address, or the incoming-webhook URL of a team chat.',
    unreadable: 'This address cannot be read',
    kind: 'Kind',
    email: 'E-mail',
    emailTarget: 'E-mail address',
    chatTarget: 'https URL of the incoming webhook',
    added: 'Contact added',
    removed: 'Contact removed',
    test: 'Send a test',
    isUnconfirmed: 'not confirmed',
    sendLink: 'Send the link again',
    mute: 'Mute',
    unmute: 'Unmute',
    muted: 'Muted',
    unmuted: 'No longer muted',
    isMuted: 'muted',
    muteAll: 'Mute all alerts of this application for',
    forHours: (hours: number) => `${hours} h`,
    allMuted: 'All alerts are muted.',
    allMutedUntil: (time: string) => `All alerts are muted until ${time}.`,
    past: 'Past alerts',
    noPast: 'No event has been abandoned yet.',
    eventsLost: (count: number) =>
      plural(count, { one: 'event was abandoned', other: 'events were abandoned' }),
    removeContact: (target: string) => `Remove ${target}`,
  },
  {
    title: 'Warnungen',
    lead: 'Wird ein Ereignis nach dem 8. Versuch aufgegeben, werden diese Kontakte benachrichtigt, höchstens alle 5 Minuten.',
    contacts: 'Kontakte',
    noContacts: 'Noch keine Kontakte',
    noContactsText:
      'Füge eine E-Mail-Adresse oder die Adresse eines eingehenden Webhooks im Team-Chat hinzu.',
    unreadable: 'Diese Adresse kann nicht gelesen werden',
    kind: 'Art',
    email: 'E-Mail',
    emailTarget: 'E-Mail-Adresse',
    chatTarget: 'https-Adresse des eingehenden Webhooks',
    added: 'Kontakt hinzugefügt',
    removed: 'Kontakt entfernt',
    test: 'Test senden',
    isUnconfirmed: 'nicht bestätigt',
    sendLink: 'Link noch einmal senden',
    mute: 'Stummschalten',
    unmute: 'Nicht mehr stumm',
    muted: 'Stummgeschaltet',
    unmuted: 'Stummschaltung aufgehoben',
    isMuted: 'stumm',
    muteAll: 'Alle Warnungen dieser Anwendung stummschalten für',
    forHours: (hours) => `${hours} Std.`,
    allMuted: 'Alle Warnungen sind stummgeschaltet.',
    allMutedUntil: (time) => `Alle Warnungen sind bis ${time} stummgeschaltet.`,
    past: 'Frühere Warnungen',
    noPast: 'Noch wurde kein Ereignis aufgegeben.',
    eventsLost: (count) =>
      plural(count, { one: 'Ereignis wurde aufgegeben', other: 'Ereignisse wurden aufgegeben' }),
    removeContact: (target) => `${target} entfernen`,
  },
);

export const kindTexts = defineTexts<Record<ContactKind, string>>(
  { email: 'E-mail', chat: 'Chat webhook' },
  { email: 'E-Mail', chat: 'Chat-Webhook' },
);

export const noticeTexts = defineTexts<Record<NoticeState, string>>(
  {
    pending: 'being sent',
    sent: 'sent',
    logged: 'in the server log (no mail server configured)',
    failed: 'failed',
  },
  {
    pending: 'wird gesendet',
    sent: 'gesendet',
    logged: 'im Protokoll des Servers (kein Mailserver konfiguriert)',
    failed: 'fehlgeschlagen',
  },
);
