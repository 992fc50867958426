import { Textarea } from '@mantine/core';
import { LANGUAGES } from '#contract/languages.ts';
import { LIMITS } from '#contract/limits.ts';
import type { LocalText } from '#contract/notices.ts';

/** The fields for a text in each language. */
export function TextFields({ label, rows }: { label: (language: string) => string; rows: number }) {
  return Object.entries(LANGUAGES).map(([language, name]) => (
    <Textarea
      key={language}
      name={`text.${language}`}
      label={label(name)}
      lang={language}
      maxLength={LIMITS.noticeLength}
      autosize
      minRows={rows}
    />
  ));
}

/** The texts entered; undefined if there are none. */
export function readTexts(fields: FormData): LocalText | undefined {
  const given = Object.keys(LANGUAGES).flatMap((language) => {
    const text = String(fields.get(`text.${language}`) ?? '').trim();
    return text === '' ? [] : [[language, text]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
