import { type Static, Type } from 'typebox';
import { PERSON_NAME_LENGTH } from '../accounts.ts';
import { REMOTE_MEDIA, WHO_MAY_ADD } from '../choices.ts';
import { FileUrl, optional, visibleName } from '../fields.ts';
import { UserId } from '../ids.ts';
import { LANGUAGE_CODES } from '../languages.ts';
import { LIMITS } from '../limits.ts';

export { REMOTE_MEDIA, type WhoMayAdd } from '../choices.ts';

/** The name by which people find a person; a bot's ends with `bot`. */
const PersonUsername = Type.String({
  minLength: LIMITS.botUsernameMinLength,
  maxLength: LIMITS.botUsernameMaxLength,
  pattern: '^[a-z](?!.*bot$)[a-z0-9_]*$',
});

/** `data` of `GET` and `PATCH /api/auth/profile`: a person's own account. */
export const OwnProfile = Type.Object({
  accountId: UserId,
  name: Type.String(),
  email: Type.String(),
  emailConfirmedAt: Type.Optional(
    Type.Integer({ description: 'When the person followed the link mailed to this address.' }),
  ),
  username: Type.Optional(Type.String({ description: 'The name by which others find the person.' })),
  pictureUrl: Type.Optional(Type.String()),
  whoMayAddMe: Type.Enum(WHO_MAY_ADD),
  remoteMedia: Type.Enum(REMOTE_MEDIA),
  readReceipts: Type.Boolean({
    description: 'Others see how far the person has read, and the person sees how far others have.',
  }),
  typingIndicators: Type.Boolean({ description: 'The same for typing.' }),
  lastSeen: Type.Boolean({ description: 'The same for when somebody was last online.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
});

export type OwnProfile = Static<typeof OwnProfile>;

/**
 * Body of `PATCH /api/auth/profile`: at least one field. `pictureUrl` is an https URL or the `url` of an upload
 * (`/media/…`); `null` removes the picture or the username.
 */
export const ChangeProfile = Type.Object({
  name: optional(visibleName(PERSON_NAME_LENGTH)),
  pictureUrl: optional(FileUrl),
  username: optional(PersonUsername),
  whoMayAddMe: Type.Optional(Type.Enum(WHO_MAY_ADD)),
  remoteMedia: Type.Optional(Type.Enum(REMOTE_MEDIA)),
  readReceipts: Type.Optional(Type.Boolean()),
  typingIndicators: Type.Optional(Type.Boolean()),
  lastSeen: Type.Optional(Type.Boolean()),
});

export type ChangeProfile = Static<typeof ChangeProfile>;

/** Body of `PUT /api/auth/language`: the language in which the server writes to the person. */
export const ChangeLanguage = Type.Object({ language: Type.Enum(LANGUAGE_CODES) });

const InviteToken = Type.String({ pattern: '^[A-Za-z0-9_-]{24}$' });

/** A person's invite link: any signed-in person who has it can write to its owner. */
export const InviteLink = Type.Object({
  token: InviteToken,
  path: Type.String({ description: 'The page of the link, `/i/<token>`, on this server.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
});

export type InviteLink = Static<typeof InviteLink>;

/** `data` of `GET /api/auth/invite-link`: empty while the person cannot be found. */
export const CurrentInviteLink = Type.Object({ inviteLink: Type.Optional(InviteLink) });

/** `data` of `GET /api/auth/invitations/:token`: who invites, for visitors who are not signed in. */
export const Invitation = Type.Object({ name: Type.String(), pictureUrl: Type.Optional(Type.String()) });

/** Body of `POST /api/auth/account/delete`: the person's own e-mail address, typed as a confirmation. */
export const DeleteAccount = Type.Object({ email: Type.String({ maxLength: 254 }) });
