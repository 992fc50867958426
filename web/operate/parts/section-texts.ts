import { defineTexts } from '../../ui/texts.ts';

/** The names of the sections, by path. */
export const sectionTexts = defineTexts(
  { people: 'People', applications: 'Applications', acts: 'Trail' },
  { people: 'Personen', applications: 'Anwendungen', acts: 'Protokoll' },
);

/** The path of a section. */
export type SectionPath = keyof typeof sectionTexts.en;
