import type { ChosenEventData } from './webhooks/chosen-events.ts';
import type { ChosenEventType, EventType } from './webhooks/event-types.ts';

/** Values that the examples of the endpoints share. */
export const ADA = 'usr_01m7y78n3b0002we972feeae';
export const BEN = 'usr_01m7y7am2c0004q8h5j3kd2t';
export const BOT = 'usr_01m7y78n5d0003zjx81m4c7v';
export const GROUP = 'grp_01m7y7b3kx0001t9r2dq6e5w';
export const MESSAGE = 'msg_01m7y78nmd0006nmrk1jnnwe';
export const QUOTED = 'msg_01m7y78nqz000t31zjjc8tsq';
export const STORY = 'sty_01m7y7d8vr00011h6t9k3m2p';
export const APP = 'app_01m7y77x4e0001c8v3n6b2qz';
export const NOW = 1795236845210;

const received = { msgId: MESSAGE, type: 'text', textMsg: 'Hi!', from: ADA };

/** The `data` of each event that an application may choose. */
const CHOSEN_EXAMPLES: { [T in ChosenEventType]: Omit<ChosenEventData<T>, 'eventId' | 'at'> } = {
  'group.joined': { groupId: GROUP, name: 'Hiking', by: ADA },
  'group.left': { groupId: GROUP, by: ADA },
  'member.joined': { groupId: GROUP, userIds: [BEN], by: ADA },
  'member.left': { groupId: GROUP, userIds: [BEN], by: BEN },
  'message.edited': { msgId: MESSAGE, chatId: ADA, by: ADA },
  'message.deleted': { msgId: MESSAGE, groupId: GROUP, from: BEN },
  'reaction.changed': { msgId: MESSAGE, chatId: ADA, by: ADA, emoji: ['👍'] },
  'poll.voted': { msgId: MESSAGE, groupId: GROUP, by: BEN, optionIds: ['opt_01m7y7b9f40005c2v8n1x3qe'] },
  'bot.blocked': { userId: ADA, isBlocked: true },
};

/** The body of each event (contract §6). */
export const EVENT_EXAMPLES = {
  ...Object.fromEntries(
    Object.entries(CHOSEN_EXAMPLES).map(([type, data]) => [
      type,
      { type, data: { eventId: 'dlv_01m7y78nmd0006x4c9r2t7wz', at: NOW, ...data } },
    ]),
  ),
  'message.received': {
    type: 'message.received',
    data: { ...received, sentAt: NOW, chatId: ADA },
  },
  'group_message.received': {
    type: 'group_message.received',
    data: { ...received, sentAt: NOW, groupId: GROUP, mentionedUserIds: [BOT], isMentioned: true },
  },
  ping: {
    type: 'ping',
    data: {
      appId: APP,
      sentAt: NOW,
      message: 'Your webhook works: answer 2xx once you have verified the signature.',
    },
  },
} as Record<EventType, object>;

/** An answer in the envelope. */
export function success(message: string, data: object): object {
  return { status: 'success', message, data, timestamp: NOW };
}
