import { defineTexts } from '../../ui/texts.ts';

/** The names of the sections, by path. */
export const sectionTexts = defineTexts(
  { people: 'People', applications: 'Applications', reports: 'Reports', health: 'Health', acts: 'Trail' },
  {
    people: 'Personen',
    applications: 'Anwendungen',
    reports: 'Meldungen',
    health: 'Zustand',
    acts: 'Protokoll',
  },
);

/** The path of a section. */
export type SectionPath = keyof typeof sectionTexts.en;
