import type { BotCommand } from '#contract/bots.ts';

/** The input for an application that is not created yet. */
export interface Draft {
  name: string;
  username: string;
  commands: BotCommand[];
}

const KEY = 'parley-new-application';
const EMPTY: Draft = { name: '', username: '', commands: [] };

/** Kept until the tab is closed. */
export function readDraft(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(KEY, JSON.stringify(draft));
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}
