import { Type } from 'typebox';
import { UserId } from './ids.ts';
import { SCOPES } from './scopes.ts';

/** `data` of `GET /v1/me`: who a credential acts as (an extension of the contract). */
export const Me = Type.Object({
  userId: UserId,
  name: Type.Optional(Type.String({ description: 'Of a person only with the scope `profile`.' })),
  isBot: Type.Boolean(),
  username: Type.Optional(Type.String()),
  appId: Type.String(),
  scopes: Type.Array(Type.Enum(SCOPES)),
});
