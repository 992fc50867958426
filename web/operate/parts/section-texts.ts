import { defineTexts } from '../../ui/texts.ts';

/** The names of the sections, by path. */
export const sectionTexts = defineTexts(
  {
    people: 'People',
    applications: 'Applications',
    reports: 'Reports',
    announcements: 'Announcements',
    policy: 'Sign-ups and holds',
    health: 'Health',
    acts: 'Trail',
  },
  {
    people: 'Personen',
    applications: 'Anwendungen',
    reports: 'Meldungen',
    announcements: 'Ankündigungen',
    policy: 'Zugang und Aufbewahrung',
    health: 'Zustand',
    acts: 'Protokoll',
  },
);

/** The path of a section. */
export type SectionPath = keyof typeof sectionTexts.en;
