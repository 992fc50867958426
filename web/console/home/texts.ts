import { defineTexts } from '../../ui/texts.ts';

export const homeTexts = defineTexts(
  {
    title: 'Applications',
    create: 'New application',
    used: (count: number, limit: number) => `${count} of ${limit} used`,
    emptyTitle: 'Your first application',
    emptyText: 'An application has a bot, an API key and a webhook. The first message takes a minute.',
  },
  {
    title: 'Anwendungen',
    create: 'Neue Anwendung',
    used: (count, limit) => `${count} von ${limit} benutzt`,
    emptyTitle: 'Deine erste Anwendung',
    emptyText:
      'Eine Anwendung hat einen Bot, einen API-Schlüssel und einen Webhook. Die erste Nachricht braucht eine Minute.',
  },
);
