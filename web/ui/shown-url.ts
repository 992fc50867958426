/** Characters that are invisible or change how those around them are read. */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

const AUTHORITY = /^https?:[/\\]*[^/?#\\]*/i;

/**
 * An address that somebody else wrote, as one may trust what one reads: the host as it is asked for, in ASCII
 * (`xn--…`), so that look-alike letters show; no user name before it; what cannot be seen as `%…`.
 */
export function shownUrl(address: string): string {
  const url = URL.parse(address);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const shown = isWeb ? `${url.origin}${address.replace(AUTHORITY, '')}` : address;
  return shown.toWellFormed().replace(UNSEEN, encodeURIComponent);
}

/** A name that somebody else gave, without what cannot be seen. */
export function withoutUnseen(name: string): string {
  return name.replace(UNSEEN, (letter) => (letter === ' ' ? letter : ''));
}
