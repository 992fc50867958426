import { defineTexts } from '../../ui/texts.ts';

/** By emojibase's group numbers. */
const ENGLISH_GROUPS = [
  'Smileys and emotion',
  'People',
  '',
  'Animals and nature',
  'Food and drink',
  'Travel and places',
  'Activities',
  'Objects',
  'Symbols',
  'Flags',
];

const GERMAN_GROUPS = [
  'Smileys und Gefühle',
  'Menschen',
  '',
  'Tiere und Natur',
  'Essen und Trinken',
  'Reisen und Orte',
  'Aktivitäten',
  'Gegenstände',
  'Symbole',
  'Flaggen',
];

export const reactionTexts = defineTexts(
  {
    you: 'You',
    reactions: 'Reactions',
    whoReacted: 'Who reacted',
    others: (count: number) => (count === 1 ? '1 other' : `${count} others`),
    react: 'React',
    reactWith: (emoji: string) => `React with ${emoji}`,
    emoji: 'Emoji',
    moreEmoji: 'More emoji',
    search: 'Search emoji',
    tone: 'Skin tone',
    recent: 'Recently used',
    found: 'Found',
    nothingFound: 'No emoji found',
    group: (n: number) => ENGLISH_GROUPS[n] ?? '',
  },
  {
    you: 'Du',
    reactions: 'Reaktionen',
    whoReacted: 'Wer reagiert hat',
    others: (count) => (count === 1 ? '1 weitere Person' : `${count} weitere`),
    react: 'Reagieren',
    reactWith: (emoji) => `Mit ${emoji} reagieren`,
    emoji: 'Emoji',
    moreEmoji: 'Mehr Emojis',
    search: 'Emoji suchen',
    tone: 'Hautfarbe',
    recent: 'Zuletzt benutzt',
    found: 'Gefunden',
    nothingFound: 'Kein Emoji gefunden',
    group: (n) => GERMAN_GROUPS[n] ?? '',
  },
);
