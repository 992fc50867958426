import { type Static, Type } from 'typebox';
import { Peer } from './chat.ts';
import { FileUrl, HttpsUrl, optional, visibleText } from './fields.ts';
import { GroupId, id, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { bodyWithContent } from './messages.ts';

const name = visibleText(LIMITS.groupNameLength);
const description = optional(Type.String({ maxLength: LIMITS.groupDescriptionLength }));

/** A list of userIds that may be left out; the limit counts its raw entries (decisions: Groups). */
function userIds(maxItems: number) {
  return Type.Optional(Type.Unsafe<string[] | null>({ type: ['array', 'null'], maxItems, items: UserId }));
}

const settings = {
  sendMessages: optional(
    Type.Boolean({ description: 'False: only administrators may write. Default true.' }),
  ),
  editInfoOnlyAdmin: optional(
    Type.Boolean({ description: 'True: only administrators edit the information. Default true.' }),
  ),
};

/** Body of `POST /v1/groups` (contract §4). The creator is added automatically and becomes the administrator. */
export const CreateGroup = Type.Object({
  name,
  description,
  members: userIds(LIMITS.membersPerRequest),
  isBroadcast: optional(Type.Boolean({ description: 'True: a list in which only its creator writes.' })),
  photoUrl: optional(HttpsUrl),
  ...settings,
});

/** The same in the chat, where the photo may be an upload. */
export const CreateGroupInChat = Type.Object({ ...CreateGroup.properties, photoUrl: optional(FileUrl) });

/** See {@link CreateGroup}. */
export type CreateGroup = Static<typeof CreateGroup>;

/** `data` of the answer to a created group (contract §4). */
export const CreatedGroup = Type.Object({ groupId: GroupId });

/** Body of `DELETE /v1/groups/delete` (contract §4). */
export const DeleteGroup = Type.Object({ groupId: GroupId });

/** Body of `POST /v1/groups/members` (contract §4). */
export const AddMembers = Type.Object({
  groupId: GroupId,
  memberIds: Type.Array(UserId, { minItems: 1, maxItems: LIMITS.membersPerRequest }),
});

/** See {@link AddMembers}. */
export type AddMembers = Static<typeof AddMembers>;

/** Body of `POST /v1/groups/members/remove` (contract §4): with the caller's own id, the caller leaves. */
export const RemoveMember = Type.Object({ groupId: GroupId, memberId: UserId });

/** See {@link RemoveMember}. */
export type RemoveMember = Static<typeof RemoveMember>;

/** Body of `PATCH /v1/groups/members/role` (contract §4). */
export const ChangeRole = Type.Object({ groupId: GroupId, memberId: UserId, isAdmin: Type.Boolean() });

/** See {@link ChangeRole}. */
export type ChangeRole = Static<typeof ChangeRole>;

/** Body of `PATCH /v1/groups/details` (contract §4). `description: ""` and `photoUrl: null` clear the field. */
export const ChangeDetails = Type.Object({
  groupId: GroupId,
  name: optional(name),
  description,
  photoUrl: optional(HttpsUrl),
  ...settings,
});

/** The same in the chat, where the photo may be an upload. */
export const ChangeDetailsInChat = Type.Object({ ...ChangeDetails.properties, photoUrl: optional(FileUrl) });

/** See {@link ChangeDetails}. */
export type ChangeDetails = Static<typeof ChangeDetails>;

/** Query of the pages of a group's members. */
export const ListMembers = Type.Object({
  groupId: GroupId,
  cursor: Type.Optional(id({ description: '`nextCursor` of the page before.' })),
});

/** See {@link ListMembers}. */
export type ListMembers = Static<typeof ListMembers>;

const membership = {
  isAdmin: Type.Boolean(),
  joinedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
};

/** A member as the public API shows it: ids only, names need the person's consent (scope `profile`). */
export const GroupMember = Type.Object({ userId: UserId, isBot: Type.Boolean(), ...membership });

/** `data` of `GET /v1/groups/members` (an extension of the contract): in the order of the ids. */
export const GroupMembers = Type.Object({
  members: Type.Array(GroupMember),
  nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

/** See {@link GroupMembers}. */
export type GroupMembers = Static<typeof GroupMembers>;

/** A member as the other members' clients show it. */
export const ShownMember = Type.Object({ ...Peer.properties, ...membership });

/** The members of a group, page by page, for people's clients. */
export const ShownMembers = Type.Object({
  members: Type.Array(ShownMember),
  nextCursor: Type.Optional(Type.String()),
});

/** See {@link ShownMembers}. */
export type ShownMembers = Static<typeof ShownMembers>;

const groupMessage = { groupId: GroupId, mentionedUserIds: userIds(LIMITS.mentions) };

/** Body of `POST /v1/messages/group` and `POST /v1/groups/broadcast` (contract §4). */
export const SendGroupMessage = bodyWithContent(groupMessage);

/** Body of `POST /api/chat/groups/messages`: files may be uploads. */
export const WriteGroupMessage = bodyWithContent(groupMessage, FileUrl);

/** See {@link SendGroupMessage}. */
export type SendGroupMessage = Static<typeof SendGroupMessage>;
