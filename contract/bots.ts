import { type Static, Type } from 'typebox';
import { NamedApplication } from './applications.ts';
import { FileUrl, optional } from './fields.ts';
import { UserId } from './ids.ts';
import { LIMITS } from './limits.ts';

/** A command that a bot offers to the people who write to it (contract §2, Bot). */
export const BotCommand = Type.Object(
  {
    command: Type.String({
      minLength: 1,
      maxLength: LIMITS.botCommandNameLength,
      pattern: '^[a-z0-9_]+$',
      examples: ['start'],
    }),
    description: Type.String({ maxLength: LIMITS.botCommandDescriptionLength }),
  },
  { title: 'BotCommand', description: 'A command that a bot offers.' },
);

export type BotCommand = Static<typeof BotCommand>;

/** The name by which people find a bot (contract §2, Bot). It is never released (decisions: Identity). */
const BotUsername = Type.String({
  minLength: LIMITS.botUsernameMinLength,
  maxLength: LIMITS.botUsernameMaxLength,
  pattern: '^[a-z0-9_]*bot$',
  description: 'Lower-case letters, digits and `_`, ending with `bot`.',
  examples: ['weather_bot'],
});

/** Why no bot can be given a username: a rule of contract §2 (Bot), or somebody has or had it. */
const UsernameFault = Type.Enum(['characters', 'length', 'ending', 'reserved', 'taken'] as const);

export type UsernameFault = Static<typeof UsernameFault>;

export const BotUsernamesQuery = Type.Object({
  like: Type.String({
    minLength: 1,
    maxLength: LIMITS.applicationNameLength,
    description: 'A username as somebody types it, or the name of an application.',
  }),
});

export const BotUsernames = Type.Object({
  fault: Type.Optional(UsernameFault),
  suggestions: Type.Array(Type.String(), { description: 'Free usernames like it, the closest first.' }),
});

export type BotUsernames = Static<typeof BotUsernames>;

const BotDescription = Type.String({ maxLength: LIMITS.botDescriptionLength });
const pictureUrl = Type.String({
  ...FileUrl,
  description: 'An https URL, or the link to an upload; `null` removes the picture.',
});
const commands = Type.Optional(
  Type.Unsafe<BotCommand[] | null>({
    type: ['array', 'null'],
    maxItems: LIMITS.botCommands,
    items: BotCommand,
  }),
);

export const CreateBot = Type.Object({
  username: BotUsername,
  description: optional(BotDescription),
  commands,
});

export type CreateBot = Static<typeof CreateBot>;

/** Body of creating an application; with `bot`, either both are created or neither. */
export const CreateApplication = Type.Object({
  ...NamedApplication.properties,
  bot: Type.Optional(CreateBot),
});

export type CreateApplication = Static<typeof CreateApplication>;

/**
 * Body of changing a bot's profile: omitted fields remain as they are. `pictureUrl` is an https URL or the `url` of an upload
 * (`/media/…`); `null` removes the picture. The name follows the application's.
 */
export const ChangeBot = Type.Object({
  description: optional(BotDescription),
  commands,
  pictureUrl: optional(pictureUrl),
  plainText: optional(
    Type.Boolean({
      description: 'Whether its texts are shown as they are, without formatting (docs/guide/chat.md).',
    }),
  ),
});

export type ChangeBot = Static<typeof ChangeBot>;

/** A bot as its owner sees it. */
export const Bot = Type.Object({
  userId: UserId,
  name: Type.String(),
  username: Type.String(),
  description: Type.String(),
  commands: Type.Array(BotCommand),
  pictureUrl: Type.Optional(Type.String({ description: 'Left out if there is none.' })),
  plainText: Type.Boolean(),
});

export type Bot = Static<typeof Bot>;
