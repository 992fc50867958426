import { VISIBLE } from '#contract/fields.ts';

/**
 * Characters with which a name could reorder or hide the text around it: bidi marks, embeddings, overrides and isolates, control
 * characters, invisible operators, letters that are blank. Joiners stay: emoji and some scripts need them.
 */
const DECEIVING =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;

/** A name of nothing but joiners, marks or spaces would leave a gap in the sentence. */
const isVisible = new RegExp(VISIBLE, 'u');

/**
 * A name that somebody else chose, on one line and made safe for a sentence that people rely on (security design); undefined if
 * nothing of it can be seen.
 *
 * @param longest in code points
 */
export function displayName(name: string, longest?: number): string | undefined {
  const shown = name
    .toWellFormed()
    .replace(/[\p{Z}\t\n\r]+/gu, ' ')
    .replace(DECEIVING, '')
    .trim();
  return isVisible.test(shown) ? [...shown].slice(0, longest).join('').trim() : undefined;
}
