import type { RemoteMedia } from '#contract/chat.ts';

/** Whether a URL is on another server, which learns the reader's IP address when it is loaded. */
export function isRemote(url: string, origin: string): boolean {
  return URL.parse(url, origin)?.origin !== origin;
}

/** Whether media that this account sent or set load automatically. */
export function mayLoad(
  { load, contactIds }: RemoteMedia,
  { from, ownId }: { from: string | undefined; ownId: string },
): boolean {
  switch (load) {
    case 'always':
      return true;
    case 'on-click':
      return false;
    case 'contacts':
      return from !== undefined && (from === ownId || contactIds.includes(from));
    default:
      throw load satisfies never;
  }
}
