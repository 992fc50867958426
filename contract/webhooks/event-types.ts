/** Events beyond the contract that an application gets only if its owner chose them. */
export const CHOSEN_EVENT_TYPES = [
  'group.joined',
  'group.left',
  'member.joined',
  'member.left',
  'message.edited',
  'message.deleted',
  'reaction.changed',
  'poll.voted',
  'bot.blocked',
] as const;

export type ChosenEventType = (typeof CHOSEN_EVENT_TYPES)[number];

/** The events about messages (contract §6). */
export const MESSAGE_EVENT_TYPES = ['message.received', 'group_message.received'] as const;

/** The events that a webhook may receive, as its `X-Service-Event` header names them (contract §6); the first three always. */
export const EVENT_TYPES = [...MESSAGE_EVENT_TYPES, 'ping', ...CHOSEN_EVENT_TYPES] as const;

export type EventType = (typeof EVENT_TYPES)[number];
