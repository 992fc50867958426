/*
 * Over plain http browsers let only localhost do everything: somebody who tries Parley out in their network reaches it by another
 * name.
 */

/** 128 random bits in hexadecimal: `crypto.randomUUID` is missing there. */
export function uniqueId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Whether the page may copy to the clipboard. */
export const mayCopy = 'clipboard' in navigator;
