/** Characters that are invisible or change how those around them are read. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

const AUTHORITY = /^https?:[/\\]*[^/?#\\]*/i;

/**
 * A URL written by somebody else, made safe to read: the host in ASCII (`xn--…`), so that look-alike letters are visible;
 * without a user name; invisible characters as `%…`.
 */
export function shownUrl(address: string): string {
  const url = URL.parse(address);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const shown = isWeb ? `${url.origin}${address.replace(AUTHORITY, '')}` : address;
  return shown.toWellFormed().replace(UNSEEN, encodeURIComponent);
}

/** Of a link that somebody else wrote: what it leads to learns nothing of this page, and has no hold on it. */
export const OUTWARD = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const;

/** A name chosen by somebody else, without invisible characters other than the joiners of emoji and some scripts. */
export function withoutUnseen(name: string): string {
  return name.replace(UNSEEN, (letter) => (' \u200c\u200d\ufe0f'.includes(letter) ? letter : ''));
}
