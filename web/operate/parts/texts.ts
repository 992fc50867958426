import { defineTexts } from '../../ui/texts.ts';

export const operateTexts = defineTexts(
  {
    operate: 'Operate',
    skip: 'Skip to the content',
    sections: 'Sections',
    search: 'Search',
    reason: 'Reason',
    console: 'Developers’ console',
    chat: 'Chat',
    needsTwoFactor: 'A second factor is needed',
    needsTwoFactorText: 'Operators sign in with a second factor. Turn it on in your account, then come back.',
    toAccount: 'Go to the account',
    none: 'Nothing found',
    firstOnly: (count: number) => `Only the first ${count} are shown. Enter more of the name.`,
    days: 'Days (empty: until it is lifted)',
  },
  {
    operate: 'Betrieb',
    skip: 'Zum Inhalt',
    sections: 'Bereiche',
    search: 'Suchen',
    reason: 'Grund',
    console: 'Konsole für Entwickler',
    chat: 'Chat',
    needsTwoFactor: 'Die Anmeldung in zwei Schritten ist nötig',
    needsTwoFactorText:
      'Operatoren melden sich mit einem zweiten Faktor an. Schalte ihn in deinem Konto ein und komm dann zurück.',
    toAccount: 'Zum Konto',
    none: 'Nichts gefunden',
    firstOnly: (count) => `Nur die ersten ${count} sind zu sehen. Gib mehr vom Namen ein.`,
    days: 'Tage (leer: bis zur Aufhebung)',
  },
);
