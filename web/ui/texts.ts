import { useSyncExternalStore } from 'react';
import { chosenLanguage, LANGUAGE_CODES, type Language, languageCookie } from '#contract/languages.ts';
import { type Parts, type Say, type Translate, translatorOf } from '#contract/texts.ts';
import { Watchers } from './watchers.ts';

/** How some parts are loaded, by the path of the language's file; made by `import.meta.glob`. */
export type TextFiles<T = Parts> = Readonly<Record<string, () => Promise<T>>>;

const watchers = new Watchers();
let loaders: TextFiles = {};
let current: Language = readLanguage();
let says: Translate = translatorOf({}, current, isolate);
document.documentElement.lang = current;

/** The texts in the person's language: `const t = useTexts(); t('ui.common.save')`. */
export function useTexts(): Translate {
  return useSyncExternalStore(onLanguage, () => says);
}

/** The same for code outside components. */
export const text: Say = (key, ...values) => says(key, ...values);

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, () => current);
}

/** Tells a watcher whenever the person chooses a language. */
export const onLanguage = watchers.subscribe;

/** For code outside components. */
export function language(): Language {
  return current;
}

/** Loads a page's texts in the person's language; resolves when they can be shown. */
export async function loadTexts(files: TextFiles): Promise<void> {
  loaders = files;
  says = translatorOf(await readTexts(files, current), current, isolate);
}

/** Shows all pages of this browser in a language. */
export async function setLanguage(chosen: Language): Promise<void> {
  await show(chosen);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https
  document.cookie = languageCookie(chosen, { isSecure: location.protocol === 'https:' });
  pages.postMessage(chosen);
}

const pages = new BroadcastChannel('parley-language');
// A page that cannot load the texts now keeps its language until it is loaded again.
pages.onmessage = ({ data }) => void show(data).catch(() => undefined);

/** Loads the texts of a language before it shows them. */
async function show(chosen: Language): Promise<void> {
  says = translatorOf(await readTexts(loaders, chosen), chosen, isolate);
  current = chosen;
  document.documentElement.lang = chosen;
  watchers.tell();
}

export async function readTexts<T>(files: TextFiles<T>, of: Language): Promise<T> {
  const [, read] = Object.entries(files).find(([path]) => path.endsWith(`/${of}.json`)) ?? [];
  if (!read) throw new Error(`no texts in ${of}`);
  return read();
}

/** Letters that are written from right to left, and characters that change the direction. */
const REORDERS =
  /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name or another text for a sentence: one in Arabic or Hebrew would reorder the words around it. */
export function isolate(words: string): string {
  return REORDERS.test(words) ? `\u2068${words}\u2069` : words;
}

/** Names in a sentence, as the page's language enumerates them. */
export function enumerate(names: readonly string[]): string {
  return new Intl.ListFormat(current).format(names.map(isolate));
}

/** A share from 0 to 1, as the page's language writes it. */
export function formatPercent(share: number): string {
  return share.toLocaleString(current, { style: 'percent' });
}

/** With the separators of the page's language. */
export function formatNumber(value: number): string {
  return value.toLocaleString(current);
}

function readLanguage(): Language {
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2));
  return (
    chosenLanguage(document.cookie) ??
    preferred.map((tag) => LANGUAGE_CODES.find((code) => code === tag)).find(Boolean) ??
    'en'
  );
}
