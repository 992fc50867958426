import type { Chapter } from '../../endpoints.ts';
import { ADA, BEN, BOT, GROUP, MESSAGE, NOW } from '../../examples.ts';
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
  ListGroups,
  ListMembers,
  OwnGroups,
  RemovedMember,
  RemoveMember,
  SendGroupMessage,
  UpdatedGroup,
} from '../../groups.ts';
import { SentMessage } from '../../messages.ts';
import { refusal } from '../../refusals.ts';
import { GROUP_MESSAGE } from './messages.ts';

const BOT_OR_USER = { actors: ['bot', 'user'], scope: 'groups:manage' } as const;
const GROUP_FULL = refusal('group.full', { count: 1024 });
const NOT_ADMINISTRATOR = refusal('group.not-an-administrator');
const OUTSIDER = refusal('group.not-a-member');
const UNKNOWN_GROUP = refusal('group.unknown');
const UNKNOWN_MEMBER = refusal('group.unknown-member');

/** Groups and broadcast lists (contract §4 and §5). */
export const GROUPS = {
  'POST /v1/groups': {
    access: BOT_OR_USER,
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
      refusal('group.newcomer-not-addable', { field: 'members' }),
      refusal('group.newcomer-unknown', { field: 'members' }),
      refusal('person.many-groups'),
      refusal('person.adding-many'),
      GROUP_FULL,
    ],
    example: {
      request: { name: 'Neighbours', description: 'Of number 12', members: [ADA, BEN] },
      response: { groupId: GROUP },
    },
  },
  'GET /v1/groups': {
    access: { actors: ['bot'], scope: 'groups:manage' },
    operationId: 'listGroups',
    isExtension: true,
    summary: 'List the groups of the bot',
    description:
      'Returns the groups and broadcast lists that the bot is in, ordered by id, one page at a time: pass `nextCursor` as ' +
      '`cursor` until it is missing.',
    tags: ['Groups'],
    query: ListGroups,
    reply: OwnGroups,
    message: 'groups of the bot',
    example: {
      response: {
        groups: [
          {
            groupId: GROUP,
            name: 'Neighbours',
            description: 'Of number 12',
            isBroadcast: false,
            sendMessages: true,
            editInfoOnlyAdmin: true,
            creatorId: BOT,
            memberCount: 3,
            isAdmin: true,
            joinedAt: NOW,
          },
        ],
      },
    },
  },
  'DELETE /v1/groups/delete': {
    access: BOT_OR_USER,
    operationId: 'deleteGroup',
    summary: 'Delete a group',
    description: 'Deletes the group for all its members. Only administrators may do this.',
    tags: ['Groups'],
    body: DeleteGroup,
    reply: DeletedGroup,
    message: 'group deleted',
    errors: [OUTSIDER, NOT_ADMINISTRATOR, UNKNOWN_GROUP],
    example: { request: { groupId: GROUP }, response: { deleted: true } },
  },
  'POST /v1/groups/members': {
    access: BOT_OR_USER,
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
      refusal('group.newcomer-not-addable', { field: 'memberIds' }),
      UNKNOWN_GROUP,
      refusal('group.newcomer-unknown', { field: 'memberIds' }),
      refusal('person.adding-many'),
      GROUP_FULL,
    ],
    example: {
      request: { groupId: GROUP, memberIds: [ADA, BEN] },
      response: { added: true },
    },
  },
  'GET /v1/groups/members': {
    access: BOT_OR_USER,
    operationId: 'listGroupMembers',
    isExtension: true,
    summary: 'List the members of a group',
    description:
      'Returns the members ordered by id, one page at a time: pass `nextCursor` as `cursor` until it is missing. Every member ' +
      'may do this. A bot also gets their names, except in a broadcast list of somebody else.',
    tags: ['Groups'],
    query: ListMembers,
    reply: GroupMembers,
    message: 'members of the group',
    errors: [OUTSIDER, UNKNOWN_GROUP],
    example: {
      response: {
        members: [
          {
            userId: BOT,
            isBot: true,
            name: 'Weather',
            username: 'weather_bot',
            isAdmin: true,
            joinedAt: NOW,
          },
          { userId: ADA, isBot: false, name: 'Ada', isAdmin: false, joinedAt: NOW },
        ],
      },
    },
  },
  'POST /v1/groups/members/remove': {
    access: BOT_OR_USER,
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
    example: {
      request: { groupId: GROUP, memberId: BEN },
      response: { removed: true },
    },
  },
  'PATCH /v1/groups/members/role': {
    access: BOT_OR_USER,
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
    example: {
      request: { groupId: GROUP, memberId: ADA, isAdmin: true },
      response: { updated: true },
    },
  },
  'PATCH /v1/groups/details': {
    access: BOT_OR_USER,
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
    example: {
      request: { groupId: GROUP, description: '', sendMessages: false },
      response: { updated: true },
    },
  },
  'POST /v1/groups/broadcast': {
    access: BOT_OR_USER,
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
    errors: [...GROUP_MESSAGE, refusal('person.sending-fast')],
    example: {
      request: { groupId: GROUP, content: 'We open at nine.' },
      response: { msgId: MESSAGE },
    },
  },
} as const satisfies Chapter<'actor'>;
