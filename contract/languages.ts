/** The languages of all pages, mails and notifications, each by its own name (docs/languages.md). */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

/** A text in a language, or in another one if that is missing. */
export function textIn(text: Readonly<Partial<Record<Language, string>>>, language: Language): string {
  return text[language] ?? Object.values(text)[0] ?? '';
}

const COOKIE = 'parley-language';
const COOKIE_SECONDS = 365 * 24 * 3600;

/** The language that was chosen in a browser, on a page with or without scripts, by its cookies; undefined if none was. */
export function chosenLanguage(cookies: string | undefined): Language | undefined {
  const [, chosen] = new RegExp(`(?:^|; )${COOKIE}=([a-z]{2})(?:;|$)`).exec(cookies ?? '') ?? [];
  return LANGUAGE_CODES.find((code) => code === chosen);
}

/** The cookie that keeps the choice for a year; pages with scripts read and set it themselves. */
export function languageCookie(language: Language, { isSecure }: { isSecure: boolean }): string {
  return `${COOKIE}=${language}; Max-Age=${COOKIE_SECONDS}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
