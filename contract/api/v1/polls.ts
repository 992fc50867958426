import type { Chapter } from '../../endpoints.ts';
import { ADA, BOT, GROUP, MESSAGE, NOW } from '../../examples.ts';
import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '../../polls.ts';
import { fault, refusal } from '../../refusals.ts';

const BOT_OR_USER = { actors: ['bot', 'user'], scope: 'polls:write' } as const;
const POLL_CLOSED = refusal('poll.closed');
const UNREADABLE = refusal('poll.unreadable');
const UNKNOWN_POLL = refusal('poll.unknown', { field: 'messageId' });

const poll = {
  id: MESSAGE,
  msgId: MESSAGE,
  question: 'Tea or coffee?',
  options: [
    { id: 'opt_01m7y7c2fa0001w4s8p6v3ne', text: 'Tea', votes: 1, voters: [ADA] },
    { id: 'opt_01m7y7c2fa0002b7x5z9d1qk', text: 'Coffee', votes: 0, voters: [] },
  ],
  allowMultipleAnswers: false,
  isAnonymous: false,
  closed: false,
  creatorId: BOT,
  totalVotes: 1,
  totalVoters: 1,
  createdAt: NOW,
  myOptionIds: [],
};

/** Polls (contract §4 and §5). */
export const POLLS = {
  'POST /v1/polls': {
    access: BOT_OR_USER,
    operationId: 'createPoll',
    summary: 'Create a poll',
    description:
      'Posts a poll to a group (`groupId`) or to a private conversation (`receiverId`). The caller must be a member of ' +
      'the group; a bot can send a poll only to a user who has written to it. `msgId` identifies the poll from then on.',
    tags: ['Polls'],
    body: CreatePoll,
    reply: CreatedPoll,
    message: 'poll created',
    creates: 'msg',
    errors: [
      fault('equal options', 'options.1', 'equal-option'),
      refusal('recipient.never-wrote'),
      refusal('group.not-a-member'),
      refusal('group.administrators-write'),
      refusal('group.creator-writes'),
      refusal('recipient.blocked-bot'),
      refusal('recipient.is-bot', { field: 'receiverId' }),
      refusal('group.unknown'),
      refusal('recipient.unknown', { field: 'receiverId' }),
      refusal('person.sending-fast'),
    ],
    example: {
      request: { groupId: GROUP, question: 'Tea or coffee?', options: ['Tea', 'Coffee'] },
      response: { msgId: MESSAGE, poll },
    },
  },
  'POST /v1/polls/vote': {
    access: BOT_OR_USER,
    operationId: 'votePoll',
    summary: 'Vote in a poll',
    description:
      'Votes for an option, or takes the vote back if the caller has voted for it already. Without ' +
      '`allowMultipleAnswers` a new vote replaces the previous one.',
    tags: ['Polls'],
    body: VotePoll,
    reply: UpdatedPoll,
    message: 'vote counted',
    errors: [
      POLL_CLOSED,
      UNREADABLE,
      fault('unknown option', 'optionId', 'unknown-option'),
      refusal('conversation.not-a-participant'),
      refusal('group.not-a-member'),
      UNKNOWN_POLL,
    ],
    example: {
      request: { messageId: MESSAGE, optionId: 'opt_01m7y7c2fa0001w4s8p6v3ne' },
      response: { poll: { ...poll, myOptionIds: ['opt_01m7y7c2fa0001w4s8p6v3ne'] } },
    },
  },
  'GET /v1/polls/:msgId': {
    access: BOT_OR_USER,
    operationId: 'getPoll',
    isExtension: true,
    summary: 'Read a poll',
    description:
      'Returns a poll with its votes, to everybody in its conversation, and to its creator even after leaving the group. ' +
      'Nobody learns who voted in an anonymous poll.',
    tags: ['Polls'],
    reply: UpdatedPoll,
    message: 'poll',
    errors: [
      UNREADABLE,
      refusal('conversation.not-a-participant'),
      refusal('group.not-a-member'),
      refusal('poll.unknown', { field: 'msgId' }),
    ],
    example: { response: { poll } },
  },
  'POST /v1/polls/close': {
    access: BOT_OR_USER,
    operationId: 'closePoll',
    summary: 'Close your poll',
    description: 'Ends the voting permanently. Only the creator of a poll may close it.',
    tags: ['Polls'],
    body: ClosePoll,
    reply: UpdatedPoll,
    message: 'poll closed',
    errors: [POLL_CLOSED, UNREADABLE, refusal('poll.not-the-creator'), UNKNOWN_POLL],
    example: {
      request: { messageId: MESSAGE },
      response: { poll: { ...poll, closed: true, closedAt: NOW } },
    },
  },
} as const satisfies Chapter<'actor'>;
