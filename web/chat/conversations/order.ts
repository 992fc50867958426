import type { Conversation } from '#contract/chat.ts';

/** Ids carry their time after the prefix. The server does the same. */
function orderOf({ lastMessage, position = '' }: Conversation): string {
  return lastMessage?.msgId.slice(4) ?? position;
}

/** Those that are pinned, then the one with the newest message first, each once. */
export function inOrder(conversations: readonly Conversation[]): Conversation[] {
  const byId = new Map(conversations.map((one) => [one.conversationId, one]));
  return [...byId.values()].sort((one, other) => {
    if (one.pinnedAt !== other.pinnedAt) return (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0);
    return orderOf(one) < orderOf(other) ? 1 : -1;
  });
}
