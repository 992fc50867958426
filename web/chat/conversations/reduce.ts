import type { ConversationSettings } from '#contract/chat/conversation-settings.ts';
import type { ChatMessage, Conversation, Peer } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { mayPost, mayWriteTo } from '#contract/rights.ts';

/**
 * A conversation after an event. An event that is repeated, or already included, changes nothing.
 */
export function reduceConversation(
  conversation: Conversation,
  event: ChatEvent,
  accountId: string,
): Conversation {
  return withMention(reduceByType(conversation, event, accountId), event, accountId);
}

/** The newest unread message that mentions the reader, whatever the order of events. */
function withMention(conversation: Conversation, event: ChatEvent, accountId: string): Conversation {
  const { mentionMsgId: known = '', ...rest } = conversation;
  const isMention =
    event.type === 'message' &&
    isAbout(conversation, event) &&
    event.data.from !== accountId &&
    event.data.mentionedUserIds?.includes(accountId);
  const newest = isMention && event.data.msgId > known ? event.data.msgId : known;
  const isUnread = newest > (rest.readMsgId ?? '');
  if (isUnread ? newest === known : known === '') return conversation;
  return { ...rest, ...(isUnread && { mentionMsgId: newest }) };
}

/** The settings have one version: they are replaced together. */
function withSettings(conversation: Conversation, settings: ConversationSettings): Conversation {
  if (settings.settingsVersion <= conversation.settingsVersion) return conversation;
  const { mutedUntil: _, pinnedAt: __, archivedMsgId: ___, ...rest } = conversation;
  return { ...rest, ...settings };
}

function reduceByType(conversation: Conversation, event: ChatEvent, accountId: string): Conversation {
  const { conversationId, peer, group, lastMessage } = conversation;
  const isMeant = isAbout(conversation, event);
  switch (event.type) {
    case 'message': {
      const message = event.data;
      if (!isMeant) return conversation;
      if (message.type === 'notice') {
        // Notices do not count as unread.
        if (lastMessage && message.msgId <= lastMessage.msgId) return conversation;
        return { ...withoutSender(conversation, message.from), lastMessage: message };
      }
      const isOwn = message.from === accountId;
      if (!isOwn && isOvertaken(conversation, message)) {
        return { ...conversation, unreadCount: conversation.unreadCount + 1 };
      }
      if (lastMessage && message.msgId <= lastMessage.msgId) return conversation;
      if (isOwn) {
        return { ...conversation, lastMessage: message, readMsgId: message.msgId, unreadCount: 0 };
      }
      const isNew = message.msgId > (conversation.readMsgId ?? '');
      const unreadCount = conversation.unreadCount + (isNew ? 1 : 0);
      return { ...withoutSender(conversation, message.from), lastMessage: message, unreadCount };
    }
    case 'message.changed':
      // An edit in one process and the deletion in another do not always arrive in that order.
      return lastMessage?.msgId === event.data.msgId && !lastMessage.deletedBy
        ? { ...conversation, lastMessage: event.data }
        : conversation;
    case 'conversation.read': {
      const { readMsgId = '', unreadCount } = event.data;
      if (!isMeant || readMsgId < (conversation.readMsgId ?? '')) return conversation;
      const rest = { ...conversation, readMsgId };
      // It was counted at another time and may include more or fewer events than have arrived.
      if (!lastMessage || readMsgId >= lastMessage.msgId) return { ...rest, unreadCount: 0 };
      return { ...rest, unreadCount: Math.max(unreadCount, isOthers(lastMessage, accountId) ? 1 : 0) };
    }
    case 'conversation.retention': {
      if (!isMeant) return conversation;
      const { lifetimeDays: _, ...rest } = conversation;
      const { lifetimeDays } = event.data;
      return { ...rest, ...(lifetimeDays !== null && { lifetimeDays }) };
    }
    case 'conversation.changed':
      return isMeant ? withSettings(conversation, event.data) : conversation;
    case 'block.changed': {
      if (peer?.userId !== event.data.userId) return conversation;
      const { isBlocked } = event.data;
      return { ...conversation, isBlocked, mayWrite: mayWriteTo(peer, isBlocked) };
    }
    case 'person.changed': {
      const person = event.data;
      const isPeer = peer?.userId === person.userId;
      const isSender = conversation.lastSender?.userId === person.userId;
      const renamed = lastMessage && withPerson(lastMessage, person);
      if (!isPeer && !isSender && renamed === lastMessage) return conversation;
      return {
        ...conversation,
        ...(renamed && { lastMessage: renamed }),
        ...(isPeer && { peer: person, mayWrite: mayWriteTo(person, conversation.isBlocked) }),
        ...(isSender && { lastSender: person }),
      };
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

function withPerson(message: ChatMessage, person: Peer): ChatMessage {
  if (!message.people?.some(({ userId }) => userId === person.userId)) return message;
  const people = message.people.map((known) => (known.userId === person.userId ? person : known));
  return { ...message, people };
}

function isAbout({ conversationId }: Conversation, event: ChatEvent): boolean {
  return 'conversationId' in event.data && event.data.conversationId === conversationId;
}

/** Whether an event removes a conversation from the list. */
function isGone(conversation: Conversation, event: ChatEvent): boolean {
  const { conversationId, lastMessage } = conversation;
  switch (event.type) {
    case 'conversation.hidden':
      return isAbout(conversation, event) && (lastMessage?.msgId ?? '') <= event.data.hiddenMsgId;
    case 'group.left':
    case 'group.deleted':
      return event.data.groupId === conversationId;
    default:
      return false;
  }
}

/** Whether it is a message from somebody else. */
function isOthers({ from, type }: ChatMessage, accountId: string): boolean {
  return from !== accountId && type !== 'notice';
}

/** Whether a message arrives after a later one, and is unread. */
function isOvertaken({ lastMessage, readMsgId = '' }: Conversation, { msgId }: ChatMessage): boolean {
  return lastMessage !== undefined && msgId < lastMessage.msgId && msgId > readMsgId;
}

/**
 * Whether only the server knows the state of a conversation after an event, because of concurrent changes.
 */
export function isUnsure(conversation: Conversation, event: ChatEvent, accountId: string): boolean {
  switch (event.type) {
    case 'group.changed':
      // The number of requests to join is not in the event, which goes to all members.
      return conversation.isAdmin && conversation.conversationId === event.data.groupId;
    case 'group.role':
      return (
        event.data.isAdmin &&
        event.data.userId === accountId &&
        conversation.conversationId === event.data.groupId
      );
  }
  if (!isAbout(conversation, event)) return false;
  switch (event.type) {
    case 'message':
      // A hidden conversation may reappear; of the messages before the person's own, some may have been counted as unread.
      return (
        conversation.isHidden ||
        (event.data.type !== 'notice' &&
          event.data.from === accountId &&
          isOvertaken(conversation, event.data))
      );
    case 'message.changed':
      // An earlier one may mention the reader.
      return event.data.type === 'deleted' && event.data.msgId === conversation.mentionMsgId;
    case 'conversation.expired':
    case 'message.hidden':
      // It may be the newest message, or counted as unread.
      return true;
    case 'conversation.read': {
      // Of the messages between the newest that was counted and the newest here, some would be counted twice, or not at all.
      const { readMsgId = '', upTo } = event.data;
      const newest = conversation.lastMessage?.msgId ?? '';
      return readMsgId >= (conversation.readMsgId ?? '') && readMsgId < newest && upTo !== newest;
    }
    case 'draft.changed':
      // The draft may have been all that the conversation had.
      return !event.data.draft && !conversation.lastMessage;
    case 'conversation.hidden':
      // Some of the unread messages are now hidden.
      return !isGone(conversation, event);
    default:
      return false;
  }
}

/** Whether a response may or may not include an event that arrived while it was on its way. */
export function mayKnow(conversation: Conversation, event: ChatEvent, accountId: string): boolean {
  if (isUnsure(conversation, event, accountId) || isGone(conversation, event)) return true;
  return event.type === 'message' && isAbout(conversation, event) && isOvertaken(conversation, event.data);
}

/** The list after an event. */
export function reduceList<List extends { conversations: Conversation[] }>(
  list: List,
  event: ChatEvent,
  accountId: string,
): List {
  const { conversations } = list;
  const changed = conversations
    .filter((one) => !isGone(one, event))
    .map((one) => reduceConversation(one, event, accountId));
  const isSame =
    changed.length === conversations.length && changed.every((one, i) => one === conversations[i]);
  return isSame ? list : { ...list, conversations: changed };
}

/** Whether the loaded list is missing the event's conversation: it is new, back, or further down. */
export function lacks(conversations: readonly Conversation[], event: ChatEvent): boolean {
  const brought = broughtBy(event);
  return brought !== undefined && conversations.every(({ conversationId }) => conversationId !== brought);
}

function broughtBy(event: ChatEvent): string | undefined {
  switch (event.type) {
    case 'message':
      return event.data.conversationId;
    case 'group.joined':
      return event.data.groupId;
    case 'conversation.changed':
      return event.data.pinnedAt === undefined ? undefined : event.data.conversationId;
    case 'draft.changed':
      return event.data.draft && event.data.conversationId;
    default:
      return undefined;
  }
}

function withRights(conversation: Conversation, accountId: string): Conversation {
  const { group, isAdmin } = conversation;
  if (!group) return conversation;
  return { ...conversation, mayWrite: mayPost(group, { accountId, isAdmin }) };
}

/** The known last sender did not send the new message; people.ts knows who did. */
function withoutSender(conversation: Conversation, from: string): Conversation {
  if (conversation.lastSender?.userId === from) return conversation;
  const { lastSender: _, ...rest } = conversation;
  return rest;
}
