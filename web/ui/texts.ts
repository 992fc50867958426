import { useSyncExternalStore } from 'react';
import { LANGUAGES, type Language } from '#contract/languages.ts';

type Text = string | ((...values: never[]) => string);
type SameShape<T> = {
  [K in keyof T]: T[K] extends (...values: infer V) => string ? (...values: V) => string : string;
};

/** A catalogue: a missing text in any language fails the type check. Texts with values are functions. */
export function defineTexts<T extends Record<string, Text>>(
  en: T & SameShape<T>,
  de: SameShape<T>,
): Record<Language, SameShape<T>> {
  return { en, de };
}

const STORED_AS = 'parley-language';
const listeners = new Set<() => void>();
let current: Language = readLanguage();
document.documentElement.lang = current;

/** The texts of a catalogue in the person's language: `const t = useTexts(texts); t.save`. */
export function useTexts<T>(catalogue: Record<Language, T>): T {
  return catalogue[useLanguage()];
}

export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, () => current);
}

/** Calls `listener` whenever the person chooses a language, until the returned function is called. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For code outside components. */
export function language(): Language {
  return current;
}

export function setLanguage(chosen: Language): void {
  current = chosen;
  document.documentElement.lang = chosen;
  try {
    localStorage.setItem(STORED_AS, chosen);
  } catch {
    // Storage is blocked: the choice holds at least for this page.
  }
  for (const listener of listeners) listener();
}

/** With the separators of the page's language. */
export function formatNumber(value: number): string {
  return value.toLocaleString(current);
}

/** `plural(2, { one: 'member', other: 'members' })`: both English and German have two forms. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return `${formatNumber(count)} ${count === 1 ? forms.one : forms.other}`;
}

function readLanguage(): Language {
  const candidates = [storedLanguage(), ...navigator.languages];
  return (
    candidates
      .map((tag) => tag?.slice(0, 2))
      .find((tag): tag is Language => tag !== undefined && tag in LANGUAGES) ?? 'en'
  );
}

function storedLanguage(): string | undefined {
  try {
    return localStorage.getItem(STORED_AS) ?? undefined;
  } catch {
    return undefined;
  }
}
