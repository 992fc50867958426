import type { ContactKind, NoticeState } from '#contract/alerts.ts';
import { defineTexts, plural } from '../../ui/texts.ts';

export const alertsTexts = defineTexts(
  {
    title: 'Alerts',
    lead: 'When an event was given up after its 8th attempt, these contacts are told, at most once in 5 minutes.',
    contacts: 'Contacts',
    noContacts: 'Nobody is told yet',
    noContactsText: 'Add an e-mail address or the incoming-webhook URL of a chat.',
    unreadable: 'This address cannot be read',
    kind: 'Kind',
    email: 'E-mail',
    chat: 'Chat webhook',
    emailTarget: 'E-mail address',
    chatTarget: 'https URL of the incoming webhook',
    added: 'Contact added',
    removed: 'Contact removed',
    test: 'Send a test',
    testSent: 'Test sent',
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
    noPast: 'No event was ever given up. May it stay so.',
    eventsLost: (count: number) =>
      plural(count, { one: 'event was given up', other: 'events were given up' }),
    removeContact: (target: string) => `Remove ${target}`,
  },
  {
    title: 'Warnungen',
    lead: 'Wird ein Ereignis nach dem 8. Versuch aufgegeben, erfahren es diese Kontakte, höchstens alle 5 Minuten.',
    contacts: 'Kontakte',
    noContacts: 'Noch erfährt es niemand',
    noContactsText: 'Füge eine E-Mail-Adresse oder die Webhook-Adresse eines Chats hinzu.',
    unreadable: 'Diese Adresse kann nicht gelesen werden',
    kind: 'Art',
    email: 'E-Mail',
    chat: 'Chat-Webhook',
    emailTarget: 'E-Mail-Adresse',
    chatTarget: 'https-Adresse des eingehenden Webhooks',
    added: 'Kontakt hinzugefügt',
    removed: 'Kontakt entfernt',
    test: 'Probe senden',
    testSent: 'Probe gesendet',
    mute: 'Stumm',
    unmute: 'Wieder laut',
    muted: 'Stumm geschaltet',
    unmuted: 'Nicht mehr stumm',
    isMuted: 'stumm',
    muteAll: 'Alle Warnungen dieser Anwendung stumm für',
    forHours: (hours) => `${hours} Std.`,
    allMuted: 'Alle Warnungen sind stumm.',
    allMutedUntil: (time) => `Alle Warnungen sind stumm bis ${time}.`,
    past: 'Frühere Warnungen',
    noPast: 'Noch nie wurde ein Ereignis aufgegeben. So soll es bleiben.',
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
    pending: 'on its way',
    sent: 'sent',
    logged: 'in the server’s log (no mail server is set)',
    failed: 'failed',
  },
  {
    pending: 'unterwegs',
    sent: 'gesendet',
    logged: 'im Protokoll des Servers (kein Mailserver eingestellt)',
    failed: 'fehlgeschlagen',
  },
);
