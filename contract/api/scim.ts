import { Type } from 'typebox';
import { endpoints } from '../endpoints.ts';

/** A body of SCIM: attributes that this server does not know are ignored (RFC 7644 §3.3). */
const ScimBody = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

const ScimQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 512 })),
  startIndex: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,9}$' })),
  count: Type.Optional(Type.String({ pattern: '^-?[0-9]{1,9}$' })),
});

const raw = { isRaw: true } as const;

/** Where a sign-in provider manages its people: SCIM 2.0 (RFC 7644), whose answers have no envelope. */
export const SCIM = endpoints('provider', '/scim/v2', {
  'GET /ServiceProviderConfig': raw,
  'GET /ResourceTypes': raw,
  'GET /Schemas': raw,
  'GET /Users': { query: ScimQuery, ...raw },
  'POST /Users': { body: ScimBody, ...raw },
  'GET /Users/:accountId': raw,
  'PUT /Users/:accountId': { body: ScimBody, ...raw },
  'PATCH /Users/:accountId': { body: ScimBody, ...raw },
  'DELETE /Users/:accountId': raw,
});
