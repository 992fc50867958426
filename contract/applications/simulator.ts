import { type Static, Type } from 'typebox';
import { ChatMessage, Peer } from '../chat.ts';
import { id, MsgId } from '../ids.ts';
import { chatBodyWithContent } from '../messages.ts';
import { CreatePoll } from '../polls.ts';
import { LoggedEventDetails } from '../webhooks.ts';
import { LoggedRequest } from './monitoring.ts';

/** `data` of `GET …/simulator`: the test person that an owner plays, and the bot on the other side. */
export const Simulator = Type.Object({
  testPerson: Type.Object({ ...Peer.properties, isTest: Type.Literal(true) }),
  bot: Peer,
  isBlocked: Type.Boolean({ description: 'The test person blocked the bot.' }),
  hasWritten: Type.Boolean({
    description:
      'Whether the bot may write to the test person, who has written to it and has not blocked it.',
  }),
});

export type Simulator = Static<typeof Simulator>;

/** Body of `POST …/simulator/messages`: content of any of the 8 types, as a person writes it; `to` is the bot. */
export const SimulatorMessage = chatBodyWithContent({});

export const SimulatorPoll = Type.Omit(CreatePoll, ['groupId', 'receiverId']);

export type SimulatorPoll = Static<typeof SimulatorPoll>;

/** Body of `POST …/simulator/polls/vote`: a toggle, as in contract §3. */
export const SimulatorVote = Type.Object({
  messageId: MsgId,
  optionId: id(),
});

export type SimulatorVote = Static<typeof SimulatorVote>;

/** One event between the test person and the bot. */
export const TimelineItem = Type.Object({
  kind: Type.Enum(['message', 'event', 'request'] as const),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  message: Type.Optional(ChatMessage),
  event: Type.Optional(LoggedEventDetails),
  request: Type.Optional(LoggedRequest),
});

export type TimelineItem = Static<typeof TimelineItem>;

export const TimelineQuery = Type.Object({
  before: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
});

/** `data` of `GET …/simulator/timeline`: newest first. */
export const Timeline = Type.Object({
  items: Type.Array(TimelineItem),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type Timeline = Static<typeof Timeline>;
