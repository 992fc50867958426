import { readFileSync } from 'node:fs';
import { LANGUAGE_CODES, type Language } from '#contract/languages.ts';
import type { Said } from '#contract/reasons.ts';
import { type OtherLanguage, type Parts, type Translate, translate, translatorOf } from '#contract/texts.ts';

interface Texts {
  t: Translate;
  /** The texts for what the server says in English. */
  server: OtherLanguage;
}

const texts = new Map(LANGUAGE_CODES.map((language) => [language, readTexts(language)]));

function readTexts(language: Language): Texts {
  const file = readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), 'utf8');
  const { errors, words = {}, ...parts }: Parts & Omit<OtherLanguage, 'language'> = JSON.parse(file);
  return { t: translatorOf(parts, language), server: { language, errors, words } };
}

/** The texts that the server writes to people in their language: `textsIn('de')('mail.emailChanged.subject')`. */
export function textsIn(language: Language): Translate {
  return (texts.get(language) as Texts).t;
}

/** An English message in another language, if it is known there. */
export function messageIn(language: Language, { reason, values, message }: Said): string {
  if (language === 'en') return message;
  return translate((texts.get(language) as Texts).server, reason, values) ?? message;
}
