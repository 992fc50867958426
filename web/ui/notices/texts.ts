import { defineTexts } from '../texts.ts';

export const noticeTexts = defineTexts(
  {
    notices: 'Notices of this server',
    maintenance: (when: string) => `Maintenance until about ${when}.`,
    overdue: 'Maintenance takes longer than planned.',
    readingWorks:
      'You can read everything. Nothing can be changed; messages that you write are sent afterwards.',
    dismiss: 'Do not show this again',
  },
  {
    notices: 'Hinweise dieses Servers',
    maintenance: (when) => `Wartung bis etwa ${when}.`,
    overdue: 'Die Wartung dauert länger als geplant.',
    readingWorks:
      'Du kannst alles lesen. Ändern lässt sich gerade nichts; Nachrichten, die du schreibst, werden danach gesendet.',
    dismiss: 'Nicht mehr anzeigen',
  },
);
