/** Where somebody was reading when they left a conversation, in this browser; of one that was left at its end there is nothing. */
const prefixOf = (accountId: string) => `parley-place:${accountId}:`;

export function readPosition(accountId: string, conversationId: string): string | undefined {
  return localStorage.getItem(prefixOf(accountId) + conversationId) ?? undefined;
}

export function keepPosition(accountId: string, conversationId: string, msgId: string | undefined): void {
  const name = prefixOf(accountId) + conversationId;
  try {
    if (msgId === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, msgId);
  } catch {
    // Storage is full or forbidden: it opens at its end.
  }
}

export function forgetPositions(accountId: string): void {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(prefixOf(accountId))) localStorage.removeItem(name);
}
