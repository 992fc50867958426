/**
 * A text for comparison in a search, which ignores case, accents, the width of letters and what cannot be seen: "Straße" equals
 * "STRASSE", and "İpek" equals "ipek".
 */
export function foldText(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  // Only upper case has one form of sigma and of i, and no ß; it leaves ẞ as it is.
  return plain.toLowerCase().toUpperCase();
}
