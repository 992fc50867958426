import { type Static, Type } from 'typebox';
import { Fingerprint } from './applications.ts';
import { Peer } from './chat.ts';
import { GroupId, UserId } from './ids.ts';

const YEAR_SECONDS = 365 * 86_400;

export const MakeGroupLink = Type.Object({
  groupId: GroupId,
  expiresInSeconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: YEAR_SECONDS, description: 'Without it the link has no end.' }),
  ),
  uses: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'How many people may join by it; any number without.',
    }),
  ),
  needsApproval: Type.Optional(
    Type.Boolean({ description: 'People ask to join by it, and an administrator decides.' }),
  ),
});

export type MakeGroupLink = Static<typeof MakeGroupLink>;

/** An invitation link of a group, for its administrators. */
export const GroupLink = Type.Object({
  linkId: Fingerprint,
  madeBy: Type.Object({ userId: UserId, name: Type.String() }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  expiresAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  uses: Type.Optional(Type.Integer({ description: 'How many people may join by it.' })),
  used: Type.Integer({ description: 'How many people have joined by it, or asked to.' }),
  needsApproval: Type.Boolean(),
});

export type GroupLink = Static<typeof GroupLink>;

/** `data` of `GET /api/chat/groups/links`: those by which people can join, the newest first. */
export const GroupLinks = Type.Object({ links: Type.Array(GroupLink) });

export type GroupLinks = Static<typeof GroupLinks>;

/** `data` of `POST /api/chat/groups/links`: the only answer with the link itself. */
export const NewGroupLink = Type.Object({
  ...GroupLink.properties,
  path: Type.String({
    description:
      'The page of the link, `/join#<token>`. Browsers do not send the part after `#` to the server.',
  }),
});

export type NewGroupLink = Static<typeof NewGroupLink>;

export const RevokeGroupLink = Type.Object({ groupId: GroupId, linkId: Fingerprint });

export type RevokeGroupLink = Static<typeof RevokeGroupLink>;

/** The token of a link, in a body, so that it is in no log. */
export const ByGroupLink = Type.Object({ token: Type.String({ maxLength: 64 }) });

/** The group of a link, before joining: for everybody who has the link. */
export const LinkedGroup = Type.Object({
  groupId: GroupId,
  name: Type.String(),
  photoUrl: Type.Optional(Type.String()),
  isBroadcast: Type.Boolean(),
  memberCount: Type.Integer(),
  needsApproval: Type.Boolean(),
});

export type LinkedGroup = Static<typeof LinkedGroup>;

/** The same for somebody who is signed in. */
export const LinkedGroupForPerson = Type.Object({
  ...LinkedGroup.properties,
  isMember: Type.Boolean(),
  hasAsked: Type.Boolean({ description: 'No administrator has decided yet.' }),
});

export type LinkedGroupForPerson = Static<typeof LinkedGroupForPerson>;

export const Joining = Type.Object({
  groupId: GroupId,
  isMember: Type.Boolean({ description: 'False if an administrator is to decide.' }),
});

export type Joining = Static<typeof Joining>;

/** `data` of `GET /api/chat/groups/join-requests`, for administrators: the oldest first. */
export const JoinRequests = Type.Object({
  requests: Type.Array(Type.Object({ ...Peer.properties, requestedAt: Type.Integer() })),
});

export type JoinRequests = Static<typeof JoinRequests>;

export const DecideJoinRequest = Type.Object({
  groupId: GroupId,
  userId: UserId,
  isAccepted: Type.Boolean(),
});

export type DecideJoinRequest = Static<typeof DecideJoinRequest>;
