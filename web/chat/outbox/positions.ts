/** Reading positions in this browser, of conversations that were not left at their end. */
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
    // Storage is full or forbidden: the conversation will open at its end.
  }
}

export function forgetPositions(accountId: string): void {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(prefixOf(accountId))) localStorage.removeItem(name);
}
