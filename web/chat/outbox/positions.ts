import { keptOf } from '../../ui/session/kept.ts';

/** Reading positions in this browser, of conversations that were not left at their end. */
const prefixOf = (accountId: string) => keptOf('place', accountId);

export function readPosition(accountId: string, conversationId: string): string | undefined {
  return localStorage.getItem(prefixOf(accountId) + conversationId) ?? undefined;
}

export function keepPosition(accountId: string, conversationId: string, msgId: string | undefined): void {
  const name = prefixOf(accountId) + conversationId;
  try {
    if (msgId === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, msgId);
  } catch {
    // Storage is full or forbidden: the conversation will open at its end.
  }
}
