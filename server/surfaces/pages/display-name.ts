/**
 * Characters with which a name could reorder or hide the text around it: bidi marks, embeddings, overrides and isolates, control
 * characters, line separators, invisible operators. Joiners stay: emoji and some scripts need them.
 */
const DECEIVING =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** A name of nothing but joiners, marks or spaces would leave a gap in the sentence. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A user-chosen name, made safe for a sentence that another person relies on (security design). */
export function displayName(name: string, fallback: string): string {
  const shown = name.replace(DECEIVING, '').replace(/\s+/gu, ' ').trim();
  return VISIBLE.test(shown) ? shown : fallback;
}
