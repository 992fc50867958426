import { useSyncExternalStore } from 'react';
import type { Finding } from '#contract/finding.ts';
import { commonTexts } from './common-texts.ts';
import { spellField } from './spell-field.ts';
import { language, onLanguage } from './texts.ts';

type InOwnWords = (finding: Partial<Finding>) => string;

/** In English as the server said it, but for the name of the field. */
const asItIs: InOwnWords = ({ message = '', values }) => {
  const field = String(values?.['field'] ?? '');
  return message.startsWith(field) ? spellField(field) + message.slice(field.length) : message;
};
let current = asItIs;
const watchers = new Set<() => void>();

/** Only those who read German load it; until then, and for what has no German, the server's own words stand. */
async function follow(): Promise<void> {
  let next = asItIs;
  if (language() === 'de') {
    const { toGerman } = await import('#contract/german/translate.ts');
    next = ({ reason = '', values, message }) =>
      toGerman(reason, values) ?? (message ? commonTexts.de.serverSays(message) : '');
    if (language() !== 'de') return;
  }
  current = next;
  for (const watcher of watchers) watcher();
}

onLanguage(() => void follow());
void follow();

/** The server's message in the person's language. */
export function inOwnWords(finding: Partial<Finding>): string {
  return current(finding);
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
