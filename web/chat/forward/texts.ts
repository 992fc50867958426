import { defineTexts } from '../../ui/texts.ts';

export const forwardTexts = defineTexts(
  {
    title: (count: number) => (count === 1 ? 'Forward a message' : `Forward ${count} messages`),
    find: 'Find a conversation',
    to: 'Conversations',
    chosen: (count: number) => `${count} chosen`,
    namesAuthor: 'Say who wrote it',
    send: 'Forward',
    nobody: 'There is no conversation in which you may write.',
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
    namesAuthor: 'Sagen, von wem es ist',
    send: 'Weiterleiten',
    nobody: 'Es gibt keine Unterhaltung, in der du schreiben darfst.',
    none: 'Keine Unterhaltung heißt so.',
    sent: 'Weitergeleitet',
    forwarded: 'Weitergeleitet',
    forwardedFrom: (name) => `Weitergeleitet von ${name}`,
  },
);
