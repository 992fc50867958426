import { quoteOf } from '#contract/chat/quotes.ts';
import type { ChatMessage, MessagePage } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import type { Poll, PollResults } from '#contract/polls.ts';

/** A part of a conversation without gaps, oldest first, each message once. */
export interface ThreadWindow {
  messages: ChatMessage[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** Messages may be missing after the last one: the thread has to be reloaded. */
  isBehind?: boolean;
}

export function windowOf({ messages, nextBefore, nextAfter }: MessagePage): ThreadWindow {
  return {
    messages: messages.toReversed(),
    hasOlder: nextBefore !== undefined,
    hasNewer: nextAfter !== undefined,
  };
}

/** Where a window goes on. */
export type Side = 'before' | 'after';

export function withMore(shown: ThreadWindow, more: ThreadWindow, side: Side): ThreadWindow {
  const { messages, hasOlder, hasNewer } = more;
  return { ...upserted(shown, messages), ...(side === 'before' ? { hasOlder } : { hasNewer }) };
}

/** Inserts a message in order, unless the messages before it are not loaded. */
export function withMessage(shown: ThreadWindow, message: ChatMessage): ThreadWindow {
  const newest = shown.messages.at(-1);
  if (shown.hasNewer && newest && message.msgId > newest.msgId) return shown;
  return upserted(shown, [message]);
}

/** A thread after an event; a repeated event changes nothing. */
export function reduceThread(shown: ThreadWindow, conversationId: string, event: ChatEvent): ThreadWindow {
  switch (event.type) {
    case 'message':
      return event.data.conversationId === conversationId ? withMessage(shown, event.data) : shown;
    case 'message.changed':
      return withChanged(shown, event.data);
    case 'message.reactions':
      return mapped(shown, event.data.msgId, (message) => withReactions(message, event.data.reactions));
    case 'message.hidden':
      return withoutMessage(shown, event.data.msgId);
    case 'conversation.expired':
      return event.data.conversationId === conversationId ? withoutOld(shown, event.data.upTo) : shown;
    case 'poll.changed':
      return withPoll(shown, event.data.poll);
    case 'poll.voted':
      return withPoll(shown, event.data);
    default:
      return shown;
  }
}

/**
 * The public state of a poll does not overwrite the person's own votes, which a closed anonymous one has forgotten. A closed one
 * stays closed: an answer may be older than the event before it.
 */
export function withPoll(
  shown: ThreadWindow,
  poll: Pick<PollResults, 'msgId'> & Partial<Poll>,
): ThreadWindow {
  return mapped(shown, poll.msgId, (message) => {
    if (!message.poll || (message.poll.closed && poll.closed === false)) return message;
    const now = { ...message.poll, ...poll };
    return { ...message, poll: now.closed && now.isAnonymous ? { ...now, myOptionIds: [] } : now };
  });
}

/** Updates a changed message and its quotes. */
function withChanged(shown: ThreadWindow, update: ChatMessage): ThreadWindow {
  const { messages } = shown;
  const isMeant = ({ msgId, quote }: ChatMessage) => update.msgId === msgId || update.msgId === quote?.msgId;
  if (!messages.some(isMeant)) return shown;
  const known = messages.find(({ msgId }) => msgId === update.msgId);
  const changed = known ? newerOf(known, update) : update;
  return {
    ...shown,
    messages: messages.map((message) => {
      const { msgId, quote } = message;
      if (changed.msgId === msgId) return { ...changed, ...(quote && { quote }) };
      return changed.msgId === quote?.msgId ? { ...message, quote: quoteOf(changed) } : message;
    }),
  };
}

/** A new message and its changes do not always arrive in that order. */
function newerOf(one: ChatMessage, other: ChatMessage): ChatMessage {
  const ageOf = ({ deletedBy, editedAt = 0 }: ChatMessage) =>
    deletedBy ? Number.POSITIVE_INFINITY : editedAt;
  const newer = ageOf(other) >= ageOf(one) ? other : one;
  return [one, other].reduce((shown, { reactions }) => withReactions(shown, reactions), newer);
}

/** Reactions have a version of their own, the newest of which wins; a tombstone has none. */
function withReactions(message: ChatMessage, reactions: ChatMessage['reactions']): ChatMessage {
  const known = message.reactions?.version ?? 0;
  if (!reactions || reactions.version <= known || message.deletedBy) return message;
  return { ...message, reactions };
}

function withoutMessage(shown: ThreadWindow, hiddenId: string): ThreadWindow {
  const messages = shown.messages.filter(({ msgId }) => msgId !== hiddenId);
  return messages.length === shown.messages.length ? shown : { ...shown, messages };
}

/** Also removes quotes of those messages. */
function withoutOld(shown: ThreadWindow, upTo: string): ThreadWindow {
  const kept = shown.messages.filter(({ msgId }) => msgId > upTo);
  const messages = kept.map((message) => {
    if (!message.quote || message.quote.msgId > upTo) return message;
    const { quote: _, replyToMsgId: __, ...rest } = message;
    return rest;
  });
  // Older messages than those removed are gone, too.
  return { ...shown, messages, hasOlder: shown.hasOlder && kept.length === shown.messages.length };
}

function mapped(
  shown: ThreadWindow,
  msgId: string,
  change: (message: ChatMessage) => ChatMessage,
): ThreadWindow {
  if (!shown.messages.some((message) => message.msgId === msgId)) return shown;
  const messages = shown.messages.map((message) => (message.msgId === msgId ? change(message) : message));
  return { ...shown, messages };
}

function upserted(shown: ThreadWindow, added: readonly ChatMessage[]): ThreadWindow {
  const newest = shown.messages.at(-1);
  const [only] = added;
  if (added.length === 1 && only && (!newest || only.msgId > newest.msgId)) {
    return { ...shown, messages: [...shown.messages, only] };
  }
  const byId = new Map(shown.messages.map((message) => [message.msgId, message]));
  for (const message of added) {
    const known = byId.get(message.msgId);
    byId.set(message.msgId, known ? newerOf(known, message) : message);
  }
  const messages = [...byId.values()].sort((one, other) => (one.msgId < other.msgId ? -1 : 1));
  return { ...shown, messages };
}
