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

const UNKNOWN_GROUP = notFound('unknown group', 'groupId names no group');
const OUTSIDER = denied('not a member of the group', 'you are not a member of this group');
const NOT_ADMINISTRATOR = denied(
  'not an administrator of the group',
  'only an administrator of this group may do this',
);
const UNKNOWN_QUOTE = notFound(
  'unknown quoted message',
  'replyToMsgId names no message of this conversation',
);
const UNKNOWN_MEMBER = notFound('unknown member', 'memberId names no member of this group');
const UNKNOWN_POLL = notFound('unknown poll', 'messageId names no poll there');
const NOT_A_PARTICIPANT = denied('not a participant', 'you are not a participant of this chat');
const POLL_CLOSED = precondition('the poll is closed', 'the poll is closed');
const NEVER_WROTE = precondition('the user never wrote to the bot', 'the user never wrote to this bot');
const BLOCKED = denied('the user blocked the bot', 'the user blocked this bot');
const TOO_MANY_MESSAGES = tooFast('the user sends too many messages', 'you are sending messages very fast');
const GROUP_FULL = exhausted('the group is full', 'a group has at most 1024 members');
const GROUP_MESSAGE = [
  invalid('mention of a non-member', 'mentionedUserIds names somebody who is not a member of this group'),
  OUTSIDER,
  denied('only administrators write', 'only administrators write in this group'),
  denied('only the creator broadcasts', 'only the creator writes in a broadcast list'),
  UNKNOWN_GROUP,
  UNKNOWN_QUOTE,
];
const BAD_CLIENT = ofOAuth(
  401,
  'invalid_client',
  'wrong client credentials',
  'client_id and client_secret are not those of an application',
  'unauthenticated',
);

/** Errors specific to single operations. */
export const PARTICULAR_ERRORS: Record<string, ErrorExample[]> = {
  sendMessage: [
    NEVER_WROTE,
    BLOCKED,
    denied('the recipient is a bot', 'to names a bot; bots do not write to bots'),
    notFound('unknown recipient', 'no account has the id in `to`'),
    UNKNOWN_QUOTE,
  ],
  sendGroupMessage: GROUP_MESSAGE,
  broadcast: [...GROUP_MESSAGE, TOO_MANY_MESSAGES],
  addToStory: [TOO_MANY_MESSAGES],
  createGroup: [
    denied('a user never wrote to the bot', 'members names somebody who never wrote to this bot'),
    denied('a user blocked the bot', 'members names somebody who blocked this bot'),
    notFound('unknown user', 'members names somebody who does not exist'),
    tooFast('the user creates too many groups', 'you have created many groups today'),
    GROUP_FULL,
  ],
  deleteGroup: [OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP],
  addGroupMembers: [
    OUTSIDER,
    NOT_ADMINISTRATOR,
    denied('a user never wrote to the bot', 'memberIds names somebody who never wrote to this bot'),
    UNKNOWN_GROUP,
    notFound('unknown user', 'memberIds names somebody who does not exist'),
    tooFast('the user adds too many strangers', 'you have added many people today who never wrote to you'),
    GROUP_FULL,
  ],
  listEvents: [invalid('invalid cursor or limit', 'limit must be from 1 to 500')],
  acknowledgeEvents: [invalid('unknown cursor', 'upTo is no cursor of this application')],
  listRequests: [invalid('invalid before', 'before is no requestId')],
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
    invalid('equal options', 'options.1 is equal to an option before it'),
    NEVER_WROTE,
    OUTSIDER,
    BLOCKED,
    UNKNOWN_GROUP,
    notFound('unknown recipient', 'no account has the id in `receiverId`'),
    TOO_MANY_MESSAGES,
  ],
  votePoll: [
    POLL_CLOSED,
    invalid('unknown option', 'optionId names no option of this poll'),
    NOT_A_PARTICIPANT,
    UNKNOWN_POLL,
  ],
  closePoll: [
    POLL_CLOSED,
    denied('not the creator of the poll', 'only the creator of a poll closes it'),
    UNKNOWN_POLL,
  ],
  deleteStory: [
    denied('a story of another user', 'storyId names the story of somebody else'),
    notFound('unknown story', 'storyId names no story'),
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
