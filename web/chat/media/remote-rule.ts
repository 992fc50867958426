import type { RemoteMedia } from '#contract/chat.ts';

/** Whether it lies on another server, which learns the reader's address when it is loaded. */
export function isRemote(url: string, origin: string): boolean {
  return URL.parse(url, origin)?.origin !== origin;
}

/** Whether what this account sent, or set, loads without being asked. */
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
