import { useSyncExternalStore } from 'react';
import { commonTexts } from './common-texts.ts';
import { language, onLanguage } from './texts.ts';

type InOwnWords = (english: string) => string;

const asItIs: InOwnWords = (english) => english;
let current = asItIs;
const watchers = new Set<() => void>();

/** Only those who read German load it; until then, and for what has no German, the server's own words stand. */
async function follow(): Promise<void> {
  let next = asItIs;
  if (language() === 'de') {
    const { toGerman } = await import('#contract/german/translate.ts');
    next = (english) => toGerman(english) ?? commonTexts.de.serverSays(english);
    if (language() !== 'de') return;
  }
  current = next;
  for (const watcher of watchers) watcher();
}

onLanguage(() => void follow());
void follow();

/** Translates the server's English messages into the person's language. */
export function inOwnWords(english: string): string {
  return current(english);
}

/** The same for components, which follow the choice of a language. */
export function useServerWords(): InOwnWords {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => current,
  );
}
