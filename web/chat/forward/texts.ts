import { defineTexts } from '../../ui/texts.ts';

export const forwardTexts = defineTexts(
  {
    title: (count: number) => (count === 1 ? 'Forward a message' : `Forward ${count} messages`),
    find: 'Find a conversation',
    to: 'Conversations',
    chosen: (count: number) => `${count} chosen`,
    namesAuthor: 'Show who wrote it',
    send: 'Forward',
    nobody: 'There is no conversation that you can write in.',
    none: 'No conversation has this name.',
    sent: 'Forwarded',
    forwarded: 'Forwarded',
    forwardedFrom: (name: string) => `Forwarded from ${name}`,
  },
  {
    title: (count) => (count === 1 ? 'Nachricht weiterleiten' : `${count} Nachrichten weiterleiten`),
    find: 'Unterhaltung finden',
    to: 'Unterhaltungen',
    chosen: (count) => `${count} gewählt`,
    namesAuthor: 'Zeigen, von wem es ist',
    send: 'Weiterleiten',
    nobody: 'Es gibt keine Unterhaltung, in der du schreiben darfst.',
    none: 'Keine Unterhaltung heißt so.',
    sent: 'Weitergeleitet',
    forwarded: 'Weitergeleitet',
    forwardedFrom: (name) => `Weitergeleitet von ${name}`,
  },
);
