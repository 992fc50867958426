import { defineTexts } from '../ui/texts.ts';

export const shellTexts = defineTexts(
  {
    console: 'Console',
    applications: 'Applications',
    docs: 'API reference',
    chat: 'Chat',
    account: 'Account',
    menu: 'Menu',
    skip: 'Skip to the content',
  },
  {
    console: 'Konsole',
    applications: 'Anwendungen',
    docs: 'API-Referenz',
    chat: 'Chat',
    account: 'Konto',
    menu: 'Menü',
    skip: 'Zum Inhalt',
  },
);
