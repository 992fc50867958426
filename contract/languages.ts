/** The languages of all pages, mails and notifications, each by its own name (docs/languages.md). */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** A text in a language, or in another one if that is missing. */
export function textIn(text: Readonly<Partial<Record<Language, string>>>, language: Language): string {
  return text[language] ?? Object.values(text)[0] ?? '';
}
