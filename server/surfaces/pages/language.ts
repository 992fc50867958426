import type { FastifyRequest } from 'fastify';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import type { Translate } from '#contract/texts.ts';
import type { Config } from '#platform/config.ts';
import { textsIn } from '#platform/texts.ts';

const COOKIE = 'parley_language';
const COOKIE_LIFETIME_SECONDS = 365 * 24 * 3600;

/** The language that the person chose on a page, else the browser's (RFC 9110 §12.5.4), else English. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  const chosen = new RegExp(`(?:^|; )${COOKIE}=([a-z]{2})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
  return [chosen, ...readAcceptLanguage(headers['accept-language'])].find(isLanguage) ?? 'en';
}

export function textsFor(request: Pick<FastifyRequest, 'headers'>): Translate {
  return textsIn(languageOf(request));
}

export function languageCookie(language: Language, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const secure = publicUrl?.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${language}; Max-Age=${COOKIE_LIFETIME_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** The primary subtags, most preferred first. */
function readAcceptLanguage(header = ''): string[] {
  return header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
      return { language: tag.split('-')[0] ?? '', weight: Number(weight ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
}

function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(LANGUAGES, text);
}
