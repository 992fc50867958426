import { type Static, type TProperties, Type } from 'typebox';
import { GroupId, id, MsgId, UserId } from '../ids.ts';
import { CHOSEN_EVENT_TYPES, type ChosenEventType } from './event-types.ts';

const at = Type.Integer({ description: 'When it happened, in epoch milliseconds.' });
const userId = Type.String({ ...UserId, description: 'Whom it is about.' });
const by = Type.String({ ...UserId, description: 'Who did it.' });
const groupId = Type.String({ ...GroupId });
const userIds = Type.Array(UserId, { description: 'Whom it is about.' });
const message = {
  msgId: MsgId,
  chatId: Type.Optional(
    Type.String({ ...UserId, description: 'Private messages only: the userId of the person.' }),
  ),
  groupId: Type.Optional(Type.String({ ...GroupId, description: 'Group messages only.' })),
};

/** `data` of such an event. The same event has the same `eventId` in every attempt. */
function chosen<Fields extends TProperties>(title: string, description: string, fields: Fields) {
  const eventId = id({ description: 'The same in every attempt: handle each event once.' });
  const about = { title, description };
  return Object.assign(Type.Object({ eventId, at, ...fields }, about), about);
}

/**
 * Events beyond the contract, by their type: what `data` says. An application gets those that it chose, and none by
 * default. They name messages and do not repeat them: `GET /v1/messages/:msgId` has the current text. Nobody gets an event
 * about what they did themselves.
 */
export const CHOSEN_EVENTS = {
  'group.joined': chosen('GroupJoined', 'The bot was added to a group or broadcast list.', {
    groupId,
    name: Type.String({ description: 'The name of the group.' }),
    by,
  }),
  'group.left': chosen('GroupLeft', 'The bot was removed from a group, or the group was deleted.', {
    groupId,
    by,
  }),
  'member.joined': chosen(
    'MemberJoined',
    'Others were added to a group of the bot, or joined by a link: see `by`.',
    {
      groupId,
      userIds,
      by,
    },
  ),
  'member.left': chosen('MemberLeft', 'Somebody left a group of the bot, or was removed: see `by`.', {
    groupId,
    userIds,
    by,
  }),
  'message.edited': chosen('MessageEdited', 'Somebody edited a message of theirs.', { ...message, by }),
  'message.deleted': chosen('MessageDeleted', 'A message was deleted for everybody.', {
    ...message,
    from: Type.String({ ...UserId, description: 'The author of the message.' }),
  }),
  'reaction.changed': chosen(
    'ReactionChanged',
    'A person, or another bot, changed their reactions to a message.',
    {
      ...message,
      by,
      emoji: Type.Array(Type.String(), {
        description: 'All reactions of theirs to this message; empty if none is left.',
      }),
    },
  ),
  'poll.voted': chosen('PollVoted', 'Somebody voted or took a vote back.', {
    ...message,
    by: Type.Optional(Type.String({ ...UserId, description: 'Who did it; left out in anonymous polls.' })),
    optionIds: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'All choices of this person; left out in anonymous polls. `GET /v1/polls/:msgId` has the results.',
      }),
    ),
  }),
  'bot.blocked': chosen('BotBlocked', 'Somebody blocked or unblocked the bot.', {
    userId,
    isBlocked: Type.Boolean({ description: 'Whether the bot is blocked now.' }),
  }),
} satisfies Record<ChosenEventType, object>;

/** `data` of an event that an application may choose. Times are epoch milliseconds. */
export type ChosenEventData<T extends ChosenEventType = ChosenEventType> = Static<(typeof CHOSEN_EVENTS)[T]>;

/** The body of such an event. */
export type ChosenEventBody = {
  [T in ChosenEventType]: { type: T; data: ChosenEventData<T> };
}[ChosenEventType];

/** The schemas of the bodies, in the order of {@link CHOSEN_EVENT_TYPES}. */
export const CHOSEN_EVENT_BODIES = CHOSEN_EVENT_TYPES.map((type) => {
  const data = CHOSEN_EVENTS[type];
  const { title, description } = data;
  return Type.Object({ type: Type.Literal(type), data }, { title: `${title}Event`, description });
});
