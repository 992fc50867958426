import type { FastifyRequest } from 'fastify';
import { chosenLanguage, LANGUAGES, type Language } from '#contract/languages.ts';
import type { Translate } from '#contract/texts.ts';
import { textsIn } from '#platform/texts.ts';

/** The language that the person chose on a page, else the browser's (RFC 9110 §12.5.4), else English. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return (
    chosenLanguage(headers.cookie) ?? readAcceptLanguage(headers['accept-language']).find(isLanguage) ?? 'en'
  );
}

export function textsFor(request: Pick<FastifyRequest, 'headers'>): Translate {
  return textsIn(languageOf(request));
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

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}
