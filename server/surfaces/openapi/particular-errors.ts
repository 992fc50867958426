import {
  denied,
  type ErrorExample,
  exhausted,
  invalid,
  notFound,
  ofOAuth,
  precondition,
  tooFast,
} from './error-example.ts';

const UNKNOWN_GROUP = notFound('unknown group', 'no group has the id in `groupId`');
const OUTSIDER = denied('not a member of the group', 'you are not a member of this group');
const NOT_ADMINISTRATOR = denied(
  'not an administrator of the group',
  'only an administrator of this group may do this',
);
const UNKNOWN_QUOTE = notFound(
  'unknown quoted message',
  'no message of this conversation has the id in `replyToMsgId`',
);
const UNKNOWN_MEMBER = notFound('unknown member', 'no member of this group has the id in `memberId`');
const UNKNOWN_POLL = notFound('unknown poll', 'no poll of this conversation has the id in `messageId`');
const NOT_A_PARTICIPANT = denied('not a participant', 'you are not a participant of this chat');
const POLL_CLOSED = precondition('the poll is closed', 'the poll is closed');
const NEVER_WROTE = precondition('the user never wrote to the bot', 'the user never wrote to this bot');
const BLOCKED = denied('the user blocked the bot', 'the user blocked this bot');
const TOO_MANY_MESSAGES = tooFast('the user sends too many messages', 'you are sending messages too fast');
const GROUP_FULL = exhausted('the group is full', 'a group can have at most 1024 members');
const GROUP_MESSAGE = [
  invalid('mention of a non-member', 'mentionedUserIds includes somebody who is not a member of this group'),
  OUTSIDER,
  denied('only administrators write', 'only administrators can write in this group'),
  denied('only the creator broadcasts', 'only the creator can write in a broadcast list'),
  UNKNOWN_GROUP,
  UNKNOWN_QUOTE,
];
const BAD_CLIENT = ofOAuth(
  401,
  'invalid_client',
  'wrong client credentials',
  'client_id or client_secret is wrong',
  'unauthenticated',
);

/** Errors specific to single operations. */
export const PARTICULAR_ERRORS: Record<string, ErrorExample[]> = {
  sendMessage: [
    NEVER_WROTE,
    BLOCKED,
    denied('the recipient is a bot', 'to is a bot; bots cannot write to bots'),
    notFound('unknown recipient', 'no account has the id in `to`'),
    UNKNOWN_QUOTE,
  ],
  sendGroupMessage: GROUP_MESSAGE,
  broadcast: [...GROUP_MESSAGE, TOO_MANY_MESSAGES],
  addToStory: [TOO_MANY_MESSAGES],
  createGroup: [
    denied('a user never wrote to the bot', 'members includes somebody who never wrote to this bot'),
    denied('a user blocked the bot', 'members includes somebody who blocked this bot'),
    notFound('unknown user', 'members includes an id that no account has'),
    tooFast('the user creates too many groups', 'you have created too many groups today'),
    GROUP_FULL,
  ],
  deleteGroup: [OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP],
  addGroupMembers: [
    OUTSIDER,
    NOT_ADMINISTRATOR,
    denied('a user never wrote to the bot', 'memberIds includes somebody who never wrote to this bot'),
    UNKNOWN_GROUP,
    notFound('unknown user', 'memberIds includes an id that no account has'),
    tooFast(
      'the user adds too many strangers',
      'you have added too many people today who never wrote to you',
    ),
    GROUP_FULL,
  ],
  listEvents: [invalid('invalid cursor or limit', 'limit must be from 1 to 500')],
  acknowledgeEvents: [invalid('unknown cursor', 'upTo is not a cursor of this application')],
  listRequests: [invalid('invalid before', 'before is not a requestId')],
  listDeadLetters: [invalid('invalid limit', 'limit must be from 1 to 500')],
  replayEvents: [precondition('nothing is sent', 'the application has no webhook URL: set one first')],
  listGroupMembers: [OUTSIDER, UNKNOWN_GROUP],
  removeGroupMember: [
    precondition(
      'the creator leaves a broadcast list',
      'the creator cannot leave a broadcast list; delete it instead',
    ),
    OUTSIDER,
    NOT_ADMINISTRATOR,
    UNKNOWN_GROUP,
    UNKNOWN_MEMBER,
  ],
  changeGroupRole: [
    precondition('a broadcast list has no roles', 'a broadcast list has no administrators'),
    precondition(
      'the only administrator is demoted',
      'the only administrator cannot be demoted; promote somebody else first',
    ),
    OUTSIDER,
    NOT_ADMINISTRATOR,
    UNKNOWN_GROUP,
    UNKNOWN_MEMBER,
  ],
  changeGroupDetails: [OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP],
  createPoll: [
    invalid('equal options', 'options.1 repeats an earlier option'),
    NEVER_WROTE,
    OUTSIDER,
    BLOCKED,
    UNKNOWN_GROUP,
    notFound('unknown recipient', 'no account has the id in `receiverId`'),
    TOO_MANY_MESSAGES,
  ],
  votePoll: [
    POLL_CLOSED,
    invalid('unknown option', 'optionId is not an option of this poll'),
    NOT_A_PARTICIPANT,
    UNKNOWN_POLL,
  ],
  closePoll: [
    POLL_CLOSED,
    denied('not the creator of the poll', 'only the creator of a poll can close it'),
    UNKNOWN_POLL,
  ],
  deleteStory: [
    denied('a story of another user', 'the story with the id in `storyId` is not yours'),
    notFound('unknown story', 'no story has the id in `storyId`'),
  ],
  issueToken: [
    ofOAuth(400, 'invalid_grant', 'code unknown, expired or used before', 'code has expired'),
    ofOAuth(
      400,
      'unauthorized_client',
      'application disabled or suspended',
      'the application is disabled',
      'failed-precondition',
    ),
    BAD_CLIENT,
    ofOAuth(
      401,
      'invalid_grant',
      'refresh token unknown, expired, revoked or used before',
      'the grant has ended (refresh-token-reused): ask for consent again',
      'unauthenticated',
    ),
  ],
  revokeToken: [BAD_CLIENT],
};
