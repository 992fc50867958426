import type { TestContext } from 'node:test';
import type { TestPlatformOptions } from './platform.ts';
import { providerScene } from './provider-scene.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The examples of Microsoft's documentation of provisioning with Entra ID (4 March 2025). */
export const ENTRA = {
  schemas: [USER, ENTERPRISE],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee',
  active: true,
  emails: [
    {
      primary: true,
      type: 'work',
      value: 'Test_User_11bb11bb-cc22-dd33-ee44-55ff55ff55ff@testuser.com',
    },
  ],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
};
/** The example of Okta's documentation of SCIM 2.0. */
export const OKTA = {
  schemas: [USER],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
};

/** A provider that manages its people. */
export async function scimScene(t: TestContext, options?: TestPlatformOptions) {
  const base = await providerScene(t, {}, options);
  const { world, providerId } = base;
  const token = await world.signInProviders.makeScimToken(providerId, async () => {});
  const calls = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = await world.app.inject({
      method,
      url: `/scim/v2${url}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json(), answer };
  };
  const patches = (id: string, ...Operations: object[]) =>
    calls('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations });
  const finds = async (filter: string) => {
    const { body } = await calls('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    return body.Resources.map(({ id }: { id: string }) => id);
  };
  return { ...base, calls, patches, finds };
}
