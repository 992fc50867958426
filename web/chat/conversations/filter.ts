import type { Conversation } from '#contract/chat.ts';
import { foldText } from '#contract/fold-text.ts';
import { isArchivedAt } from '#contract/rights.ts';

/** The folders of the list. */
export const FOLDERS = ['all', 'unread', 'groups', 'bots', 'archived'] as const;
export type Folder = (typeof FOLDERS)[number];

/** Whether a conversation is in a folder; the open one stays in the unread folder after it has been read. */
export function isInFolder(
  conversation: Conversation,
  folder: Folder,
  { now, openId }: { now: number; openId: string | undefined },
): boolean {
  const { conversationId, kind, peer, unreadCount } = conversation;
  const isArchived = isArchivedAt(conversation, now);
  switch (folder) {
    case 'all':
      return !isArchived;
    case 'unread':
      return !isArchived && (unreadCount > 0 || conversationId === openId);
    case 'groups':
      return !isArchived && kind === 'group';
    case 'bots':
      return !isArchived && peer?.isBot === true;
    default:
      return isArchived;
  }
}

/** The conversations whose name or username has a word beginning with each of the words typed. */
export function matching<C extends Conversation>(
  conversations: readonly C[],
  typed: string,
  nameIn: (conversation: C) => string,
): C[] {
  const words = wordsOf(typed);
  return conversations.filter((conversation) => {
    const known = wordsOf(`${nameIn(conversation)} ${conversation.peer?.username ?? ''}`);
    return words.every((word) => known.some((one) => one.startsWith(word)));
  });
}

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

/** The conversation above or below the open one; the first if none is open. */
export function neighbour(
  conversations: readonly Conversation[],
  openId: string | undefined,
  step: 1 | -1,
): Conversation | undefined {
  const index = conversations.findIndex(({ conversationId }) => conversationId === openId);
  return index === -1 ? conversations[0] : conversations[index + step];
}

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/[\s@]+/)
    .filter((word) => word !== '');
}
