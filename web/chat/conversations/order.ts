import type { Conversation } from '#contract/chat.ts';

/** Ids contain the time after their prefix. The server sorts the same way. */
function orderOf({ lastMessage, position = '' }: Conversation): string {
  return lastMessage?.msgId.slice(4) ?? position;
}

/** Pinned conversations first, then by newest message, each once: as it stands last. */
export function inOrder(conversations: readonly Conversation[]): Conversation[] {
  const byId = new Map(conversations.map((one) => [one.conversationId, one]));
  return [...byId.values()].sort((one, other) => {
    if (one.pinnedAt !== other.pinnedAt) return (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0);
    return orderOf(one) < orderOf(other) ? 1 : -1;
  });
}
