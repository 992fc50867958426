import type { LoggedRequest } from './applications/monitoring.ts';
import type { ConversationSettings } from './chat/conversation-settings.ts';
import type { KeptDraft } from './chat/drafts.ts';
import type { ReadState, Receipt } from './chat/receipts.ts';
import type { ChatMessage, Lifetime, Peer, Reactions, ShownGroup } from './chat.ts';
import type { Notices } from './notices.ts';
import type { PollResults } from './polls.ts';
import type { LoggedEvent } from './webhooks.ts';

/** The events of a map from type to data. */
export type EventOf<Events> = { [T in keyof Events]: { type: T; data: Events[T] } }[keyof Events];

type Empty = Record<string, never>;

interface ConversationEvents {
  /** Somebody wrote, the person included. */
  message: ChatMessage;
  /** A message says something else now, or is deleted for everybody. */
  'message.changed': ChatMessage;
  /** A message of the conversation was pinned, or is not pinned any more. */
  'conversation.pins': { conversationId: string };
  /** Somebody reacted to a message, or took that back. */
  'message.reactions': { conversationId: string; msgId: string; reactions: Reactions };
  /** The person deleted a message for themselves. */
  'message.hidden': { conversationId: string; msgId: string };
  /** Votes were cast, or the poll was closed. */
  'poll.changed': { conversationId: string; poll: PollResults };
  /** The person voted. */
  'poll.voted': { msgId: string; myOptionIds: string[] };
  /** The person read on, here or elsewhere. */
  'conversation.read': ReadState;
  /** Somebody else's pages got the messages up to one, or the person read up to it. */
  'conversation.receipt': Receipt & { conversationId: string };
  /** Somebody else tells from now on how far they read, or tells it no more. */
  'receipts.changed': { userId: string };
  /** Somebody else is writing at this moment. */
  typing: { conversationId: string; userId: string };
  /** The person keeps it in another way. */
  'conversation.changed': ConversationSettings;
  /** The person has begun to write, wrote on, or sent it, here or elsewhere. */
  'draft.changed': KeptDraft;
  /** The person deleted the conversation for themselves; what came after `hiddenMsgId` is still shown. */
  'conversation.hidden': { conversationId: string; hiddenMsgId: string };
  /** Messages up to this one have outlived their time, and are gone for everybody. */
  'conversation.expired': { conversationId: string; upTo: string };
  /** Its people keep its messages for another time from now on; null for as long as the server does. */
  'conversation.retention': { conversationId: string; lifetimeDays: Lifetime | null };
  /** The person blocked somebody, or ended that. */
  'block.changed': { userId: string; isBlocked: boolean };
  /** The person came into the group. */
  'group.joined': ShownGroup;
  /** The group's details or the number of its members changed. */
  'group.changed': ShownGroup;
  /** Somebody became an administrator, or is none any more. */
  'group.role': { groupId: string; userId: string; isAdmin: boolean };
  /** The person is out of the group. */
  'group.left': { groupId: string };
  'group.deleted': { groupId: string };
  /** The person's own profile or settings. */
  'profile.changed': Empty;
  /** Somebody with whom the person shares a conversation has another name or picture. */
  'person.changed': Peer;
  /** Somebody's story. */
  'story.changed': { userId: string };
  /** The person has seen the story up to this element. */
  'story.seen': { userId: string; seenElementId: string };
  /** All current announcements of the operators. */
  'notices.changed': Notices;
  /** The person signed out there, or was signed out. A stream of that session ends with it. */
  'session.ended': { sessionId: string };
}

/** Events about a person and in the person's conversations. */
export type ConversationEvent = EventOf<ConversationEvents>;

/**
 * Events of `GET /api/chat/live`. `ready` comes first: unless the stream resumes, what happened before has to be read. It
 * comes again when something may have been missed.
 */
export type ChatEvent = ConversationEvent | EventOf<{ ready: { resumed: boolean } }>;

/**
 * Events of `GET /api/console/applications/{appId}/live`: after `ready`, which says that what happened before has to be
 * read, a webhook event whenever its delivery changes, and the application's API requests.
 */
export type LogEvent = EventOf<{ ready: Empty; event: LoggedEvent; request: LoggedRequest }>;

/** Events of `GET /api/console/applications/{appId}/simulator/live`: the same, and those of the test person. */
export type SimulatorEvent = LogEvent | ConversationEvent;
