import type { LoggedRequest } from './applications/monitoring.ts';
import type { ConversationSettings, Lifetime } from './chat/conversation-settings.ts';
import type { KeptDraft } from './chat/drafts.ts';
import type { ReadState, Receipt } from './chat/receipts.ts';
import type { ChatMessage, Peer, ShownGroup } from './chat.ts';
import type { Notices } from './notices.ts';
import type { PollResults } from './polls.ts';
import type { Reactions } from './reactions.ts';
import type { LoggedEvent } from './webhooks.ts';

/** The union of events for a map from type to data. */
export type EventOf<Events> = { [T in keyof Events]: { type: T; data: Events[T] } }[keyof Events];

type Empty = Record<string, never>;

interface ConversationEvents {
  /** A message was sent, possibly by the person. */
  message: ChatMessage;
  /** A message was edited, or deleted for everybody. */
  'message.changed': ChatMessage;
  /** A message of the conversation was pinned or unpinned. */
  'conversation.pins': { conversationId: string };
  /** A reaction was added to a message, or removed. */
  'message.reactions': { conversationId: string; msgId: string; reactions: Reactions };
  /** The person deleted a message for themselves. */
  'message.hidden': { conversationId: string; msgId: string };
  /** Votes were cast, or the poll was closed. */
  'poll.changed': { conversationId: string; poll: PollResults };
  /** The person voted. */
  'poll.voted': { msgId: string; myOptionIds: string[] };
  /** The person read further, on this page or elsewhere. */
  'conversation.read': ReadState;
  /** Messages up to this one were delivered to somebody else's pages, or read there. */
  'conversation.receipt': Receipt & { conversationId: string };
  /** Somebody else started or stopped sharing read receipts. */
  'receipts.changed': { userId: string };
  /** Somebody else is typing; `people` has the name of a person. */
  typing: { conversationId: string; userId: string; people?: Peer[] };
  /** The text so far of a message that a bot is writing, at this time; empty once the bot may not finish it. */
  'message.draft': {
    conversationId: string;
    userId: string;
    content: string;
    replyToMsgId?: string;
    at: number;
  };
  /** The person's settings of the conversation changed. */
  'conversation.changed': ConversationSettings;
  /** The person's draft was created, changed or sent, on this page or elsewhere. */
  'draft.changed': KeptDraft;
  /** The person deleted the conversation for themselves; messages after `hiddenMsgId` are still shown. */
  'conversation.hidden': { conversationId: string; hiddenMsgId: string };
  /** Messages up to this one have expired, for everybody. */
  'conversation.expired': { conversationId: string; upTo: string };
  /** The members changed how long messages are kept; null if only the setting of the server applies. */
  'conversation.retention': { conversationId: string; lifetimeDays: Lifetime | null };
  /** The person blocked or unblocked somebody. */
  'block.changed': { userId: string; isBlocked: boolean };
  /** The person joined the group. */
  'group.joined': ShownGroup;
  /** The group's details or the number of its members changed. */
  'group.changed': ShownGroup;
  /** Somebody became an administrator, or is no longer one. */
  'group.role': { groupId: string; userId: string; isAdmin: boolean };
  /** The person left the group or was removed. */
  'group.left': { groupId: string };
  'group.deleted': { groupId: string };
  /** The person's own profile or settings. */
  'profile.changed': Empty;
  /** The name or picture of an account that shares a conversation with the person changed. */
  'person.changed': Peer;
  /** An account's story changed. */
  'story.changed': { userId: string };
  /** The person has seen the story up to this element. */
  'story.seen': { userId: string; seenElementId: string };
  /** All current announcements of the operators. */
  'notices.changed': Notices;
  /** The session was signed out, by the person or otherwise. Its streams end. */
  'session.ended': { sessionId: string };
}

/** Events about a person and in the person's conversations. */
export type ConversationEvent = EventOf<ConversationEvents>;

/**
 * Events of `GET /api/chat/live`. `ready` comes first: unless the stream resumes, the current state has to be fetched. It
 * is repeated when something may have been missed.
 */
export type ChatEvent = ConversationEvent | EventOf<{ ready: { resumed: boolean } }>;

/**
 * Events of `GET /api/console/applications/{appId}/live`: after `ready`, which means that the current state has to be
 * fetched, a webhook event whenever its delivery changes, and the application's API requests.
 */
export type LogEvent = EventOf<{ ready: Empty; event: LoggedEvent; request: LoggedRequest }>;

/** Events of `GET /api/console/applications/{appId}/simulator/live`: the same, plus those of the test person. */
export type SimulatorEvent = LogEvent | ConversationEvent;
