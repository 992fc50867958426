import { type Static, Type } from 'typebox';
import { optional, visibleText } from './fields.ts';
import { GroupId, id, MsgId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';

/** Body of `POST /v1/polls` (contract §2, Poll): exactly one of `groupId` and `receiverId`; equal options are refused. */
export const CreatePoll = Type.Object(
  {
    groupId: optional(GroupId),
    receiverId: optional(UserId),
    question: visibleText(LIMITS.pollQuestionLength),
    options: Type.Array(visibleText(LIMITS.pollOptionLength), {
      minItems: LIMITS.pollOptionsMin,
      maxItems: LIMITS.pollOptionsMax,
      description: 'The answers to choose from, all of them different.',
      examples: [['Tea', 'Coffee']],
    }),
    allowMultipleAnswers: optional(
      Type.Boolean({ description: '`true`: voters may choose several options. Default `false`.' }),
    ),
    isAnonymous: optional(
      Type.Boolean({ description: '`true`: nobody learns who voted for what. Default `false`.' }),
    ),
  },
  { title: 'CreatePoll', description: 'A new poll, in exactly one of `groupId` and `receiverId`.' },
);

export type CreatePoll = Static<typeof CreatePoll>;

const pollAddress = {
  messageId: Type.String({ ...MsgId, description: 'The `msgId` of the poll.' }),
  groupId: optional(GroupId),
  receiverId: optional(UserId),
};

/** Body of `POST /v1/polls/vote` (contract §4). At most one of `groupId` and `receiverId` (decisions: Polls). */
export const VotePoll = Type.Object(
  {
    ...pollAddress,
    optionId: id({ examples: ['opt_06f2c8k4x1m9q7t3w5z8b2n4'] }),
  },
  { title: 'VotePoll', description: 'A vote; at most one of `groupId` and `receiverId`.' },
);

export type VotePoll = Static<typeof VotePoll>;

export const ClosePoll = Type.Object(pollAddress, {
  title: 'ClosePoll',
  description: 'The poll to close; at most one of `groupId` and `receiverId`.',
});

export type ClosePoll = Static<typeof ClosePoll>;

/** One answer of a poll with its votes. `voters` is present unless the poll is anonymous (decisions: Polls). */
const PollOption = Type.Object(
  {
    id: Type.String(),
    text: Type.String(),
    votes: Type.Integer(),
    voters: Type.Optional(
      Type.Array(UserId, {
        description:
          'Missing in an anonymous poll. Of a poll in a broadcast list, all of them for its creator; for its readers, at most themselves.',
      }),
    ),
  },
  { title: 'PollOption', description: 'An option of a poll, with its votes.' },
);

/** A poll as everybody in the conversation sees it. Times are epoch milliseconds. */
export const PollResults = Type.Object({
  id: Type.String(),
  msgId: MsgId,
  question: Type.String(),
  options: Type.Array(PollOption),
  allowMultipleAnswers: Type.Boolean(),
  isAnonymous: Type.Boolean(),
  closed: Type.Boolean(),
  creatorId: UserId,
  totalVotes: Type.Integer({ description: 'Sum over all options.' }),
  totalVoters: Type.Integer({ description: 'How many users voted for at least one option.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  closedAt: Type.Optional(
    Type.Integer({ description: 'Epoch milliseconds; missing while the poll is open.' }),
  ),
});

export type PollResults = Static<typeof PollResults>;

/** A poll as one account sees it (contract §2, decisions: Polls). */
export const Poll = Type.Object(
  {
    ...PollResults.properties,
    myOptionIds: Type.Array(Type.String(), {
      description:
        'The options that the caller voted for. Empty once an anonymous poll is closed: its votes are forgotten.',
    }),
  },
  { title: 'Poll', description: 'A poll as the caller sees it.' },
);

export type Poll = Static<typeof Poll>;

export const CreatedPoll = Type.Object(
  { msgId: MsgId, poll: Poll },
  { title: 'CreatedPoll', description: 'The poll that was created, and the message that holds it.' },
);

export type CreatedPoll = Static<typeof CreatedPoll>;

/** `data` of voting and closing (contract §4), and of reading a poll. */
export const UpdatedPoll = Type.Object(
  { poll: Poll },
  { title: 'UpdatedPoll', description: 'The poll as it is now.' },
);
