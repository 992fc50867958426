import type { Conversation } from '#contract/chat.ts';
import type { LiveEvent } from '../live/events.ts';

/**
 * A conversation after an event. The same event may come again, or tell what the conversation already shows: that
 * changes nothing.
 */
export function reduceConversation(
  conversation: Conversation,
  event: LiveEvent,
  accountId: string,
): Conversation {
  const { conversationId, peer, group, lastMessage } = conversation;
  const isMeant = 'conversationId' in event.data && event.data.conversationId === conversationId;
  switch (event.type) {
    case 'message': {
      const message = event.data;
      if (!isMeant || (lastMessage && message.msgId <= lastMessage.msgId)) return conversation;
      if (message.from === accountId) {
        return { ...conversation, lastMessage: message, readMsgId: message.msgId, unreadCount: 0 };
      }
      const isNew = message.msgId > (conversation.readMsgId ?? '');
      const unreadCount = conversation.unreadCount + (isNew ? 1 : 0);
      return { ...withoutSender(conversation, message.from), lastMessage: message, unreadCount };
    }
    case 'message.changed':
      return lastMessage?.msgId === event.data.msgId
        ? { ...conversation, lastMessage: event.data }
        : conversation;
    case 'conversation.read': {
      const { readMsgId = '', unreadCount } = event.data;
      if (!isMeant || readMsgId < (conversation.readMsgId ?? '')) return conversation;
      const rest = { ...conversation, readMsgId };
      // Counted at a moment of its own, it may be of more than was told by now, or of less.
      if (!lastMessage || readMsgId >= lastMessage.msgId) return { ...rest, unreadCount: 0 };
      return { ...rest, unreadCount: Math.max(unreadCount, lastMessage.from === accountId ? 0 : 1) };
    }
    case 'conversation.changed':
      return isMeant ? { ...conversation, isMuted: event.data.isMuted } : conversation;
    case 'block.changed': {
      if (peer?.userId !== event.data.userId) return conversation;
      const { isBlocked } = event.data;
      return { ...conversation, isBlocked, mayWrite: !isBlocked && !peer.isDeleted };
    }
    case 'group.joined':
    case 'group.changed': {
      if (event.data.groupId !== conversationId) return conversation;
      return withRights({ ...conversation, group: event.data }, accountId);
    }
    case 'group.role': {
      const { groupId, userId, isAdmin } = event.data;
      if (!group || groupId !== conversationId || userId !== accountId) return conversation;
      return withRights({ ...conversation, isAdmin }, accountId);
    }
    default:
      return conversation;
  }
}

/** Who may write, as the server decides it (features/groups/rules.ts). */
function withRights(conversation: Conversation, accountId: string): Conversation {
  const { group, isAdmin } = conversation;
  if (!group) return conversation;
  const mayWrite = group.isBroadcast ? group.creatorId === accountId : group.sendMessages || isAdmin;
  return { ...conversation, mayWrite };
}

/** The sender that is shown is not the sender of the new message; people.ts knows that one. */
function withoutSender(conversation: Conversation, from: string): Conversation {
  if (conversation.lastSender?.userId === from) return conversation;
  const { lastSender: _, ...rest } = conversation;
  return rest;
}
