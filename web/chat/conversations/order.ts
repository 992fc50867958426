import type { Conversation } from '#contract/chat.ts';

/** Ids carry their time after the prefix: a new group stands where its first message would. The server does the same. */
export function orderOf({ conversationId, lastMessage }: Conversation): string {
  return (lastMessage?.msgId ?? conversationId).slice(4);
}

/** The one with the newest message first, each once. */
export function inOrder(conversations: readonly Conversation[]): Conversation[] {
  const byId = new Map(conversations.map((one) => [one.conversationId, one]));
  return [...byId.values()].sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
}
