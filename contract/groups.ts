import { type Static, Type } from 'typebox';
import { AccountProfile } from './accounts/me.ts';
import { Peer } from './chat.ts';
import { confirmation, FileUrl, HttpsUrl, optional, visibleText } from './fields.ts';
import { GroupId, id, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { bodyWithContent, chatBodyWithContent } from './messages.ts';

const name = visibleText(LIMITS.groupNameLength);
const description = optional(Type.String({ maxLength: LIMITS.groupDescriptionLength }));

/** A list of userIds that may be left out; the limit applies to its raw entries (decisions: Groups). */
function userIds(maxItems: number, description: string) {
  return Type.Optional(
    Type.Unsafe<string[] | null>({ type: ['array', 'null'], maxItems, items: UserId, description }),
  );
}

const settings = {
  sendMessages: optional(
    Type.Boolean({ description: '`false`: only administrators may write. Default `true`.' }),
  ),
  editInfoOnlyAdmin: optional(
    Type.Boolean({ description: '`true`: only administrators edit the group info. Default `true`.' }),
  ),
};

/** Body of `POST /v1/groups` (contract §4). The creator is added automatically, as the administrator. */
export const CreateGroup = Type.Object(
  {
    name,
    description,
    members: userIds(LIMITS.membersPerRequest, 'Users to add besides the caller.'),
    isBroadcast: optional(
      Type.Boolean({
        description: '`true`: a broadcast list, in which only its creator writes. Default `false`.',
      }),
    ),
    photoUrl: optional(HttpsUrl),
    ...settings,
  },
  { title: 'CreateGroup', description: 'A new group or broadcast list; the caller is added automatically.' },
);

/** The same in the chat, where the photo may be an upload. */
export const CreateGroupInChat = Type.Object({ ...CreateGroup.properties, photoUrl: optional(FileUrl) });

export type CreateGroup = Static<typeof CreateGroup>;

export const CreatedGroup = Type.Object(
  { groupId: GroupId },
  { title: 'Group', description: 'A group or broadcast list.' },
);

export const DeleteGroup = Type.Object(
  { groupId: GroupId },
  { title: 'DeleteGroup', description: 'The group to delete.' },
);

export const DeletedGroup = confirmation('deleted', 'DeletedGroup', 'The group was deleted.');

export const AddMembers = Type.Object(
  {
    groupId: GroupId,
    memberIds: Type.Array(UserId, { minItems: 1, maxItems: LIMITS.membersPerRequest }),
  },
  { title: 'AddGroupMembers', description: 'Users to add to a group.' },
);

export type AddMembers = Static<typeof AddMembers>;

export const AddedMembers = confirmation('added', 'AddedGroupMembers', 'All the users are members.');

/** Body of `POST /v1/groups/members/remove` (contract §4): the caller's own id means leaving. */
export const RemoveMember = Type.Object(
  { groupId: GroupId, memberId: UserId },
  {
    title: 'RemoveGroupMember',
    description: 'The member to remove; a caller that gives its own id leaves the group.',
  },
);

export type RemoveMember = Static<typeof RemoveMember>;

export const RemovedMember = confirmation('removed', 'RemovedGroupMember', 'The member was removed.');

export const ChangeRole = Type.Object(
  {
    groupId: GroupId,
    memberId: UserId,
    isAdmin: Type.Boolean({ description: '`true` promotes to administrator, `false` demotes.' }),
  },
  { title: 'ChangeGroupRole', description: 'The member to promote or demote.' },
);

export type ChangeRole = Static<typeof ChangeRole>;

/** Body of `PATCH /v1/groups/details` (contract §4). `description: ""` and `photoUrl: null` clear the field. */
export const ChangeDetails = Type.Object(
  {
    groupId: GroupId,
    name: optional(name),
    description,
    photoUrl: optional(HttpsUrl),
    ...settings,
  },
  {
    title: 'ChangeGroupDetails',
    description: 'At least one detail to change. `description: ""` and `photoUrl: null` clear the field.',
  },
);

export const UpdatedGroup = confirmation('updated', 'UpdatedGroup', 'The group was changed.');

/** The same in the chat, where the photo may be an upload. */
export const ChangeDetailsInChat = Type.Object({ ...ChangeDetails.properties, photoUrl: optional(FileUrl) });

export type ChangeDetails = Static<typeof ChangeDetails>;

export const ListMembers = Type.Object({
  groupId: GroupId,
  cursor: Type.Optional(id({ description: '`nextCursor` of the previous page.' })),
});

export type ListMembers = Static<typeof ListMembers>;

const membership = {
  isAdmin: Type.Boolean(),
  joinedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
};

/**
 * A member as the public API shows it. Bots get names, as people in the group do; an application that acts for a person gets
 * ids only, since the others did not consent to it.
 */
export const GroupMember = Type.Object(
  {
    ...Type.Partial(AccountProfile).properties,
    userId: UserId,
    isBot: Type.Boolean(),
    ...membership,
  },
  {
    title: 'GroupMember',
    description:
      'A member of a group. `name`, `username` and `picture` are for API keys only, and left out in broadcast lists of others.',
  },
);

/** `data` of `GET /v1/groups/members` (an extension of the contract), ordered by id. */
export const GroupMembers = Type.Object(
  {
    members: Type.Array(GroupMember),
    nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
  },
  { title: 'GroupMembers', description: 'A page of members, ordered by id.' },
);

export type GroupMembers = Static<typeof GroupMembers>;

export const ListGroups = Type.Object({
  cursor: Type.Optional(id({ description: '`nextCursor` of the previous page.' })),
});

export type ListGroups = Static<typeof ListGroups>;

/** A group or broadcast list as its members see it through the API (an extension of the contract). */
export const OwnGroup = Type.Object(
  {
    groupId: GroupId,
    name: Type.String(),
    description: Type.String(),
    photoUrl: Type.Optional(Type.String()),
    isBroadcast: Type.Boolean(),
    sendMessages: Type.Boolean({ description: '`false`: only administrators may write.' }),
    editInfoOnlyAdmin: Type.Boolean({ description: '`true`: only administrators edit the group info.' }),
    creatorId: UserId,
    memberCount: Type.Integer(),
    isAdmin: Type.Boolean({ description: 'Whether the bot is an administrator.' }),
    joinedAt: Type.Integer({ description: 'When the bot joined, in epoch milliseconds.' }),
  },
  { title: 'OwnGroup', description: 'A group or broadcast list that the bot is in.' },
);

/** `data` of `GET /v1/groups` (an extension of the contract), ordered by id. */
export const OwnGroups = Type.Object(
  {
    groups: Type.Array(OwnGroup),
    nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
  },
  { title: 'OwnGroups', description: 'A page of the groups that the bot is in, ordered by id.' },
);

export type OwnGroups = Static<typeof OwnGroups>;

/** A member as the other members' clients show it. */
export const ShownMember = Type.Object({ ...Peer.properties, ...membership });

/** The members of a group, page by page, for people's clients. */
export const ShownMembers = Type.Object({
  members: Type.Array(ShownMember),
  nextCursor: Type.Optional(Type.String()),
});

export type ShownMembers = Static<typeof ShownMembers>;

const groupMessage = {
  groupId: GroupId,
  mentionedUserIds: userIds(LIMITS.mentions, 'Members whom the message mentions.'),
};

export const SendGroupMessage = bodyWithContent(groupMessage, {
  title: 'GroupMessage',
  description: 'A message to post to a group, one variant for each `type`.',
});

/** Body of `POST /api/chat/groups/messages`: files may be uploads. */
export const WriteGroupMessage = chatBodyWithContent(groupMessage);

export type SendGroupMessage = Static<typeof SendGroupMessage>;
