import { defineTexts, plural } from '../../ui/texts.ts';

export const homeTexts = defineTexts(
  {
    title: 'Applications',
    create: 'New application',
    used: (count: number, limit: number) => `${count} of ${limit} used`,
    emptyTitle: 'Your first application',
    emptyText:
      'An application has a bot, an API key and a webhook. You can send the first message within a minute.',
    noBot: 'no bot yet',
    keyUsed: 'key used',
    keyUnused: 'key never used',
    lastDay: 'The last 24 hours',
    requests: (count: number, errors: number) =>
      `${plural(count, { one: 'request', other: 'requests' })}, ${plural(errors, { one: 'error', other: 'errors' })}`,
    deliveries: (count: number, failed: number) =>
      `${plural(count, { one: 'delivery', other: 'deliveries' })}, ${failed} failed`,
  },
  {
    title: 'Anwendungen',
    create: 'Neue Anwendung',
    used: (count, limit) => `${count} von ${limit} benutzt`,
    emptyTitle: 'Deine erste Anwendung',
    emptyText:
      'Eine Anwendung hat einen Bot, einen API-Schlüssel und einen Webhook. Die erste Nachricht ist in einer Minute gesendet.',
    noBot: 'noch kein Bot',
    keyUsed: 'Schlüssel benutzt',
    keyUnused: 'Schlüssel nie benutzt',
    lastDay: 'Die letzten 24 Stunden',
    requests: (count, errors) =>
      `${plural(count, { one: 'Anfrage', other: 'Anfragen' })}, ${plural(errors, { one: 'Fehler', other: 'Fehler' })}`,
    deliveries: (count, failed) =>
      `${plural(count, { one: 'Zustellung', other: 'Zustellungen' })}, davon ${failed} fehlgeschlagen`,
  },
);
