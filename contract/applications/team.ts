import { type Static, Type } from 'typebox';
import { AppId, Fingerprint } from '../applications.ts';
import { ROLES, TEAM_ROLES } from '../choices.ts';
import { UserId } from '../ids.ts';

export { ROLES, type Role, type TeamRole } from '../choices.ts';

/** How long an invitation is valid. */
export const INVITATION_DAYS = 7;

/** Body of an invitation, or of changing a teammate's role. */
export const GivenRole = Type.Object({ role: Type.Enum(TEAM_ROLES) });

/** An invitation without its link, which is shown only once. */
export const Invitation = Type.Object({
  fingerprint: Fingerprint,
  role: Type.Enum(TEAM_ROLES),
  createdAt: Type.Integer(),
  expiresAt: Type.Integer(),
});

export const NewInvitation = Type.Object({
  ...Invitation.properties,
  token: Type.String({ description: 'Shown only once; anybody who has it can join.' }),
});

export type NewInvitation = Static<typeof NewInvitation>;

/** `data` of `GET …/team`: the owner first, then teammates in the order of joining. */
export const Team = Type.Object({
  members: Type.Array(
    Type.Object({
      userId: UserId,
      name: Type.String(),
      role: Type.Enum(ROLES),
      joinedAt: Type.Integer(),
    }),
  ),
  invitations: Type.Array(Invitation),
});

export type Team = Static<typeof Team>;

export const InvitationToken = Type.Object({ token: Type.String({ maxLength: 128 }) });

/** The application and the role that an invitation is for. */
export const Invited = Type.Object({
  appId: AppId,
  name: Type.String(),
  owner: Type.String({ description: 'Name of the owner.' }),
  role: Type.Enum(TEAM_ROLES),
});

export type Invited = Static<typeof Invited>;
