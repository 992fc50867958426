import { useSyncExternalStore } from 'react';
import { type OtherLanguage, translate } from '#contract/texts.ts';
import type { Finding } from '#contract/webhooks/finding.ts';
import { spellField } from './spell-field.ts';
import { language, onLanguage, readTexts, text } from './texts.ts';
import { Watchers } from './watchers.ts';

type Said = { [Part in keyof Finding]?: Finding[Part] | undefined };
type InOwnWords = (finding: Said) => string;

const TEXTS = import.meta.glob<Omit<OtherLanguage, 'language'>>('../../locales/*.json', {
  query: '?parts=errors,words',
  import: 'default',
});

/** In English, as sent by the server, apart from the name of the field. */
const asItIs: InOwnWords = ({ message = '', values }) => {
  const field = String(values?.['field'] ?? '');
  return message.startsWith(field) ? spellField(field) + message.slice(field.length) : message;
};
let current = asItIs;
const watchers = new Watchers();

/** A language's texts are loaded only when needed; until then, and for missing texts, the server's words are shown. */
async function follow(): Promise<void> {
  let next = asItIs;
  const chosen = language();
  if (chosen !== 'en') {
    const texts = await readTexts(TEXTS, chosen);
    next = ({ reason = '', values, message }) =>
      translate({ language: chosen, ...texts }, reason, values) ??
      (message ? text('ui.common.serverSays', { english: message }) : '');
    if (language() !== chosen) return;
  }
  current = next;
  watchers.tell();
}

onLanguage(() => void follow());
void follow();

/** The server's message in the person's language. */
export function inOwnWords(finding: Said): string {
  return current(finding);
}

/** The same for components, which re-render when the language changes. */
export function useServerWords(): InOwnWords {
  return useSyncExternalStore(watchers.subscribe, () => current);
}
