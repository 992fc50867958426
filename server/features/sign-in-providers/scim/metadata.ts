import { LIST_SCHEMA, USER_SCHEMA } from './resource.ts';

export const MOST_LISTED = 200;

/** The features of the service (RFC 7643 §5). */
export function describeService(base: string): object {
  const [on, off] = [{ supported: true }, { supported: false }];
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: on,
    bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
    filter: { ...on, maxResults: MOST_LISTED },
    changePassword: off,
    sort: off,
    etag: off,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The SCIM token of the sign-in provider.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

export function describeResources(base: string): object {
  return listOf([
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      schema: USER_SCHEMA,
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
    },
  ]);
}

const text = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...more },
});

export function describeSchemas(base: string): object {
  return listOf([
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      id: USER_SCHEMA,
      name: 'User',
      attributes: [
        text('userName', { required: true, uniqueness: 'server' }),
        text('externalId', { caseExact: true }),
        text('displayName'),
        {
          ...text('name', { type: 'complex' }),
          subAttributes: [text('formatted'), text('givenName'), text('familyName')],
        },
        {
          ...text('emails', { type: 'complex', multiValued: true }),
          subAttributes: [text('value'), text('type'), text('primary', { type: 'boolean' })],
        },
        text('active', { type: 'boolean' }),
      ],
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` },
    },
  ]);
}

export function listOf(
  Resources: object[],
  { startIndex = 1, totalResults = Resources.length } = {},
): object {
  return { schemas: [LIST_SCHEMA], totalResults, startIndex, itemsPerPage: Resources.length, Resources };
}
