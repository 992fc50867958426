import { type Static, Type } from 'typebox';

/** A body of SCIM: attributes that this server does not know are ignored (RFC 7644 §3.3). */
export const ScimBody = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

/** Query of a list of users. */
export const ScimQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 512 })),
  startIndex: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,9}$' })),
  count: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,9}$' })),
});

export type ScimQuery = Static<typeof ScimQuery>;
