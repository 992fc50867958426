import { Me } from '../accounts/me.ts';
import { RequestPage, RequestQuery } from '../applications/monitoring.ts';
import { endpoints } from '../endpoints.ts';
import { Success } from '../envelope.ts';
import {
  AddedMembers,
  AddMembers,
  ChangeDetails,
  ChangeRole,
  CreatedGroup,
  CreateGroup,
  DeletedGroup,
  DeleteGroup,
  GroupMembers,
  ListMembers,
  RemovedMember,
  RemoveMember,
  SendGroupMessage,
  UpdatedGroup,
} from '../groups.ts';
import { SendMessage, SentMessage } from '../messages.ts';
import { UserInfo } from '../oauth.ts';
import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '../polls.ts';
import { fault, refusal } from '../refusals.ts';
import { AddedToStory, AddToStory, DeletedStory, DeleteStory, Stories } from '../stories.ts';
import {
  AcknowledgedEvents,
  AcknowledgeEvents,
  DeadLetterPage,
  DeadLetterQuery,
  FEED_PAGE,
  FeedPage,
  FeedQuery,
  ReplayEvents,
  ReplayedEvents,
} from '../webhooks/event-feed.ts';
import { SimulatedEvent, SimulateEvent } from '../webhooks.ts';

const BOT_OR_USER_GROUPS = { actors: ['bot', 'user'], scope: 'groups:manage' } as const;
const BOT_OR_USER_POLLS = { actors: ['bot', 'user'], scope: 'polls:write' } as const;
const BOT_MESSAGES = { actors: ['bot'], scope: 'messages:send', confirmsKeys: true } as const;

const UNKNOWN_GROUP = refusal('group.unknown');
const UNKNOWN_MEMBER = refusal('group.unknown-member');
const UNKNOWN_POLL = refusal('poll.unknown');
const UNKNOWN_QUOTE = refusal('conversation.no-quoted-message');
const OUTSIDER = refusal('group.not-a-member');
const NOT_ADMINISTRATOR = refusal('group.not-an-administrator');
const GROUP_FULL = refusal('group.full', { count: 1024 });
const POLL_CLOSED = refusal('poll.closed');
const NEVER_WROTE = refusal('recipient.never-wrote');
const BLOCKED = refusal('recipient.blocked-bot');
const TOO_MANY_MESSAGES = refusal('person.sending-fast');
const GROUP_MESSAGE = [
  fault('mention of a non-member', 'mentionedUserIds', 'not-a-member'),
  OUTSIDER,
  refusal('group.administrators-write'),
  refusal('group.creator-writes'),
  UNKNOWN_GROUP,
  UNKNOWN_QUOTE,
];
const PAGE_LIMIT = { least: 1, most: FEED_PAGE.most };

/** The public API (contract §4 and §5), with its extensions. */
export const V1 = endpoints('actor', '', {
  'GET /v1/me': {
    access: { actors: ['bot', 'user'] },
    operationId: 'getMe',
    isExtension: true,
    summary: 'Get the current account',
    description:
      'Returns the account that the credential acts as: the bot of an API key, the user of an access token.',
    tags: ['Identity'],
    reply: Me,
    message: 'this is who you act as',
  },
  'GET /v1/requests': {
    access: { actors: ['bot'] },
    operationId: 'listRequests',
    isExtension: true,
    summary: 'List API requests',
    description:
      'Returns the latest API requests of the application, the newest first: route, status, duration and error. ' +
      'No body, no token, no address.',
    tags: ['Logs'],
    query: RequestQuery,
    reply: RequestPage,
    message: 'API requests, newest first',
    errors: [fault('invalid before', 'before', 'not-a-request-id')],
  },
  'POST /v1/groups': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'createGroup',
    summary: 'Create a group or broadcast list',
    description:
      'The caller is added automatically and becomes the only administrator. With `isBroadcast: true` the group is a ' +
      'broadcast list, in which only its creator writes. A bot can add only users who have written to it and have ' +
      'not blocked it.',
    tags: ['Groups'],
    body: CreateGroup,
    reply: CreatedGroup,
    message: 'group created',
    creates: 'grp',
    errors: [
      refusal('group.newcomer-never-wrote', { field: 'members' }),
      refusal('group.newcomer-blocked-bot', { field: 'members' }),
      refusal('group.newcomer-unknown', { field: 'members' }),
      refusal('person.many-groups'),
      GROUP_FULL,
    ],
  },
  'DELETE /v1/groups/delete': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'deleteGroup',
    summary: 'Delete a group',
    description: 'Deletes the group for all its members. Only administrators may do this.',
    tags: ['Groups'],
    body: DeleteGroup,
    reply: DeletedGroup,
    message: 'group deleted',
    errors: [OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP],
  },
  'POST /v1/groups/members': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'addGroupMembers',
    summary: 'Add members to a group',
    description:
      'Adds all the users, or none if one of them cannot be added. Those who are members already are skipped. Only ' +
      'administrators may do this, and a bot can add only users who have written to it.',
    tags: ['Groups'],
    body: AddMembers,
    reply: AddedMembers,
    message: 'members added',
    errors: [
      OUTSIDER,
      NOT_ADMINISTRATOR,
      refusal('group.newcomer-never-wrote', { field: 'memberIds' }),
      UNKNOWN_GROUP,
      refusal('group.newcomer-unknown', { field: 'memberIds' }),
      refusal('person.adding-many'),
      GROUP_FULL,
    ],
  },
  'GET /v1/groups/members': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'listGroupMembers',
    isExtension: true,
    summary: 'List the members of a group',
    description:
      'Returns the members ordered by id, one page at a time: pass `nextCursor` as `cursor` until it is missing. Every member ' +
      'may do this.',
    tags: ['Groups'],
    query: ListMembers,
    reply: GroupMembers,
    message: 'members of the group',
    errors: [OUTSIDER, UNKNOWN_GROUP],
  },
  'POST /v1/groups/members/remove': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'removeGroupMember',
    summary: 'Remove a member, or leave a group',
    description:
      'Only administrators may remove others; a caller that gives its own id as `memberId` leaves the group. The ' +
      'creator of a broadcast list cannot leave it, only delete it.',
    tags: ['Groups'],
    body: RemoveMember,
    reply: RemovedMember,
    message: 'member removed',
    errors: [refusal('group.creator-stays'), OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP, UNKNOWN_MEMBER],
  },
  'PATCH /v1/groups/members/role': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'changeGroupRole',
    summary: 'Promote or demote a member',
    description:
      'Promotes a member to administrator, or demotes one. Only administrators may do this. The only administrator ' +
      'cannot be demoted, and broadcast lists have no roles.',
    tags: ['Groups'],
    body: ChangeRole,
    reply: UpdatedGroup,
    message: 'role updated',
    errors: [
      refusal('group.no-administrators'),
      refusal('group.only-administrator'),
      OUTSIDER,
      NOT_ADMINISTRATOR,
      UNKNOWN_GROUP,
      UNKNOWN_MEMBER,
    ],
  },
  'PATCH /v1/groups/details': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'changeGroupDetails',
    summary: 'Change the details of a group',
    description:
      'Changes the details that are given, at least one; the others keep their values. `description: ""` and ' +
      '`photoUrl: null` clear the field. Only administrators may do this.',
    tags: ['Groups'],
    body: ChangeDetails,
    reply: UpdatedGroup,
    message: 'details updated',
    errors: [OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP],
  },
  'POST /v1/messages': {
    access: BOT_MESSAGES,
    operationId: 'sendMessage',
    summary: 'Send a private message',
    description:
      'Sends text, media or a location to a user who has written to the bot. A bot cannot start a conversation, and ' +
      'cannot write to other bots.',
    tags: ['Messages'],
    body: SendMessage,
    reply: SentMessage,
    message: 'message sent',
    creates: 'msg',
    errors: [
      NEVER_WROTE,
      BLOCKED,
      refusal('recipient.is-bot', { field: 'to' }),
      refusal('recipient.unknown', { field: 'to' }),
      UNKNOWN_QUOTE,
    ],
  },
  'POST /v1/messages/group': {
    access: BOT_MESSAGES,
    operationId: 'sendGroupMessage',
    summary: 'Send a group message',
    description:
      'Posts to a group that the bot is a member of. In a group with `sendMessages: false` the bot must be an ' +
      'administrator; in a broadcast list it must be the creator. Everybody mentioned must be a member.',
    tags: ['Messages'],
    body: SendGroupMessage,
    reply: SentMessage,
    message: 'message sent',
    creates: 'msg',
    errors: GROUP_MESSAGE,
  },
  'POST /v1/groups/broadcast': {
    access: BOT_OR_USER_GROUPS,
    operationId: 'broadcast',
    summary: 'Post to a group or your broadcast list',
    description:
      'Takes the same body and requires the same rights as `POST /v1/messages/group`, but also accepts an access ' +
      'token, so that a user can post to their own broadcast list. `type` defaults to `text`.',
    tags: ['Groups'],
    body: SendGroupMessage,
    bodyDefaults: { type: 'text' },
    reply: SentMessage,
    message: 'message sent',
    creates: 'msg',
    errors: [...GROUP_MESSAGE, TOO_MANY_MESSAGES],
  },
  'GET /oauth/userinfo': {
    access: { actors: ['user'], scope: 'profile', orScope: 'openid' },
    operationId: 'getUserInfo',
    summary: 'Get the user’s profile',
    description: 'Returns the id, name and picture of the user who consented, without an envelope.',
    tags: ['OAuth'],
    reply: UserInfo,
    isRaw: true,
  },
  'POST /v1/polls': {
    access: BOT_OR_USER_POLLS,
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
      NEVER_WROTE,
      OUTSIDER,
      BLOCKED,
      UNKNOWN_GROUP,
      refusal('recipient.unknown', { field: 'receiverId' }),
      TOO_MANY_MESSAGES,
    ],
  },
  'POST /v1/polls/vote': {
    access: BOT_OR_USER_POLLS,
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
      fault('unknown option', 'optionId', 'unknown-option'),
      refusal('conversation.not-a-participant'),
      UNKNOWN_POLL,
    ],
  },
  'POST /v1/polls/close': {
    access: BOT_OR_USER_POLLS,
    operationId: 'closePoll',
    summary: 'Close your poll',
    description: 'Ends the voting permanently. Only the creator of a poll may close it.',
    tags: ['Polls'],
    body: ClosePoll,
    reply: UpdatedPoll,
    message: 'poll closed',
    errors: [POLL_CLOSED, refusal('poll.not-the-creator'), UNKNOWN_POLL],
  },
  'POST /v1/stories': {
    access: { actors: ['user'], scope: 'stories:write' },
    operationId: 'addToStory',
    summary: 'Add to your story',
    description:
      'Adds a text, an image or a video to the user’s current story, or begins a story if there is none.',
    tags: ['Stories'],
    body: AddToStory,
    reply: AddedToStory,
    message: 'story published',
    creates: 'elm',
    errors: [TOO_MANY_MESSAGES],
  },
  'GET /v1/stories/mine': {
    access: { actors: ['user'], scope: 'stories:read' },
    operationId: 'listOwnStories',
    summary: 'Read your stories',
    description: 'Returns the user’s current story with all its elements; an empty list if there is none.',
    tags: ['Stories'],
    reply: Stories,
    message: 'your stories',
  },
  'DELETE /v1/stories/delete': {
    access: { actors: ['user'], scope: 'stories:write' },
    operationId: 'deleteStory',
    summary: 'Delete your story',
    description: 'Deletes one of the user’s stories, with all its elements.',
    tags: ['Stories'],
    body: DeleteStory,
    reply: DeletedStory,
    message: 'story deleted',
    errors: [refusal('story.not-yours'), refusal('story.unknown')],
  },
  'POST /v1/events/simulate': {
    access: { actors: ['bot'] },
    operationId: 'simulateEvent',
    isExtension: true,
    summary: 'Simulate an event',
    description:
      'Sends the bot a made-up event, marked `sandbox: true`, through its webhook and the event feed.',
    tags: ['Events'],
    body: SimulateEvent,
    reply: SimulatedEvent,
    message: 'event simulated',
  },
  'GET /v1/events': {
    access: { actors: ['bot'] },
    operationId: 'listEvents',
    isExtension: true,
    summary: 'List events',
    description:
      'Returns the events that webhooks receive, with the same bytes, one page at a time: pass `nextAfter` as `after` ' +
      'to get what follows. With `Accept: text/event-stream` the answer is a stream of server-sent events, which ' +
      'resumes after `Last-Event-ID`.',
    tags: ['Events'],
    query: FeedQuery,
    reply: Success(FeedPage),
    isRaw: true,
    errors: [fault('invalid cursor or limit', 'limit', 'from-to', PAGE_LIMIT)],
  },
  'POST /v1/events/acknowledge': {
    access: { actors: ['bot'] },
    operationId: 'acknowledgeEvents',
    isExtension: true,
    summary: 'Acknowledge events',
    description:
      'Stores how far the bot has handled its events: `GET /v1/events?after=acknowledged` goes on there. Events in ' +
      '`failed` are given up and become dead letters, unless a webhook receives them.',
    tags: ['Events'],
    body: AcknowledgeEvents,
    reply: AcknowledgedEvents,
    message: 'events acknowledged',
    errors: [fault('unknown cursor', 'upTo', 'not-a-cursor-here')],
  },
  'GET /v1/events/dead-letters': {
    access: { actors: ['bot'] },
    operationId: 'listDeadLetters',
    isExtension: true,
    summary: 'List dead letters',
    description:
      'Returns the events that were given up, the oldest first: those that the bot reported, and those whose 8th ' +
      'attempt at the webhook failed.',
    tags: ['Events'],
    query: DeadLetterQuery,
    reply: Success(DeadLetterPage),
    isRaw: true,
    errors: [fault('invalid limit', 'limit', 'from-to', PAGE_LIMIT)],
  },
  'POST /v1/events/replay': {
    access: { actors: ['bot'] },
    operationId: 'replayEvents',
    isExtension: true,
    summary: 'Replay events',
    description:
      'Sends events again: to the webhook, with 8 fresh attempts, or through the event feed of a bot without a ' +
      'webhook. Unknown events, and those that are about to be sent, are left out.',
    tags: ['Events'],
    body: ReplayEvents,
    reply: ReplayedEvents,
    message: 'events replayed',
    errors: [refusal('webhook.no-url')],
  },
});
