import { defineTexts } from '../ui/texts.ts';

export const shellTexts = defineTexts(
  {
    console: 'Console',
    docs: 'Documentation',
    reference: 'API reference',
    chat: 'Chat',
    account: 'Account',
    skip: 'Skip to the content',
  },
  {
    console: 'Konsole',
    docs: 'Dokumentation',
    reference: 'API-Referenz',
    chat: 'Chat',
    account: 'Konto',
    skip: 'Zum Inhalt',
  },
);
