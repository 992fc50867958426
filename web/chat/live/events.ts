import type { ChatMessage, ReadState, ShownGroup } from '#contract/chat.ts';
import type { PollResults } from '#contract/polls.ts';

interface Events {
  ready: { resumed: boolean };
  message: ChatMessage;
  'message.changed': ChatMessage;
  'poll.changed': { conversationId: string; poll: PollResults };
  'poll.voted': { msgId: string; myOptionIds: string[] };
  'conversation.read': ReadState;
  'conversation.changed': { conversationId: string; isMuted: boolean };
  /** Messages after `hiddenMsgId` are still shown. */
  'conversation.hidden': { conversationId: string; hiddenMsgId: string };
  'block.changed': { userId: string; isBlocked: boolean };
  'group.joined': ShownGroup;
  'group.changed': ShownGroup;
  'group.role': { groupId: string; userId: string; isAdmin: boolean };
  'group.left': { groupId: string };
  'group.deleted': { groupId: string };
  /** The person's own, in this window or elsewhere. */
  'profile.changed': Record<string, never>;
  'story.changed': { userId: string };
  'story.seen': { userId: string; seenElementId: string };
  'session.ended': { sessionId: string };
}

/** Events of `GET /api/chat/live`. */
export type LiveEvent = { [T in keyof Events]: { type: T; data: Events[T] } }[keyof Events];
