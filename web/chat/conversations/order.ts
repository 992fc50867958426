import type { Conversation } from '#contract/chat.ts';

/** Ids carry their time after the prefix: a new group stands where its first message would. The server does the same. */
export function orderOf({ conversationId, lastMessage }: Conversation): string {
  return (lastMessage?.msgId ?? conversationId).slice(4);
}

/** Those that are pinned, then the one with the newest message first, each once. */
export function inOrder(conversations: readonly Conversation[]): Conversation[] {
  const byId = new Map(conversations.map((one) => [one.conversationId, one]));
  return [...byId.values()].sort((one, other) => {
    if (one.pinnedAt !== other.pinnedAt) return (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0);
    return orderOf(one) < orderOf(other) ? 1 : -1;
  });
}
