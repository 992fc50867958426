import { endpoints } from '../endpoints.ts';
import { ScimBody, ScimQuery } from '../scim.ts';

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
