/**
 * The load model of Mattermost: how often its people do what, for each message that they write, and how long they pause in
 * between. From `loadtest/control/simulcontroller` of github.com/mattermost/mattermost-load-test-ng at 784dbc17 (5 June 2026).
 * Left out are settings of its sidebar and what occurs less than 0.01 times a message, except for deletions and reloads.
 * `view-threads` has no counterpart, and reads the list of conversations instead.
 */
export const MIX = {
  'switch-group': 6.5219,
  'switch-private': 0.9843,
  'scroll-back': 1.9873,
  /** Unread counts come with the stream. */
  'check-unread': 1,
  write: 1,
  'discard-draft': 1.41,
  'keep-draft': 0.504,
  'list-drafts': 0.037,
  'view-threads': 0.6023,
  /** A thread, a link to a message. */
  'open-message': 0.2841 + 0.3,
  'mark-read': 0.3236,
  react: 0.1306,
  edit: 0.04,
  'delete-message': 0.0049,
  'search-messages': 0.0218 + 0.0109,
  'find-person': 0.032 + 0.015,
  'show-profile': 0.03,
  reconnect: 0.144,
  reload: 0.0008 + 0.0006,
} as const satisfies Record<string, number>;

export type Action = keyof typeof MIX;

const PAUSE_MS = { least: 1_000, mean: 20_000 };
const SHARE = { quotes: 0.18, files: 0.02 };
const WORDS = { written: 35, quoting: 24 };
const VOCABULARY = 'the parcel leaves depot today and we meet a little later than planned near river'.split(
  ' ',
);

const TOTAL = Object.values(MIX).reduce((sum, frequency) => sum + frequency, 0);

export function pickAction(): Action {
  let rest = Math.random() * TOTAL;
  for (const [action, frequency] of Object.entries(MIX)) {
    rest -= frequency;
    if (rest < 0) return action as Action;
  }
  return 'write';
}

/** Between two actions of a person. */
export function pickPauseMs(): number {
  return PAUSE_MS.least + Math.random() * 2 * (PAUSE_MS.mean - PAUSE_MS.least);
}

export function pickMessage(): { words: string; isQuote: boolean; hasFile: boolean } {
  const isQuote = Math.random() < SHARE.quotes;
  return {
    words: pickWords(isQuote ? WORDS.quoting : WORDS.written),
    isQuote,
    hasFile: Math.random() < SHARE.files,
  };
}

export function pickWords(mean: number): string {
  return Array.from({ length: 1 + Math.floor(Math.random() * 2 * (mean - 1)) }, () =>
    pickOne(VOCABULARY),
  ).join(' ');
}

export function pickOne<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}
