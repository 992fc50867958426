import { type Static, Type } from 'typebox';
import { UserId } from '../ids.ts';
import { SCOPES } from '../scopes.ts';

/** `data` of `GET /v1/me`: the account that a credential acts as (an extension of the contract). */
export const Me = Type.Object(
  {
    userId: UserId,
    name: Type.Optional(Type.String({ description: 'For users, only with the scope `profile`.' })),
    isBot: Type.Boolean(),
    username: Type.Optional(Type.String({ description: 'Bots only.' })),
    appId: Type.String({ description: 'The application that the credential belongs to.' }),
    scopes: Type.Array(Type.Enum(SCOPES, { title: 'Scope', description: 'A permission of a credential.' })),
  },
  { title: 'Me', description: 'The account that a credential acts as.' },
);

/** `data` of `GET /v1/people/:userId`: an account that a bot knows (an extension of the contract). */
export const AccountProfile = Type.Object(
  {
    userId: UserId,
    isBot: Type.Boolean(),
    name: Type.String(),
    username: Type.Optional(Type.String()),
    picture: Type.Optional(Type.String({ description: 'URL of the picture; left out if there is none.' })),
  },
  { title: 'Profile', description: 'A person or bot, as others see it.' },
);

export type AccountProfile = Static<typeof AccountProfile>;
