/** The requests of the documentation of Entra ID and Okta, in the order in which these services send them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTERPRISE, ENTRA, OKTA, scimScene, USER } from '#testing/scim-scene.ts';

test('Entra ID: asks, creates, changes by paths, deactivates, and deletes', async (t) => {
  const { calls, patches, finds, world } = await scimScene(t);
  assert.deepEqual(await finds('userName eq "non-existent user"'), []);
  const { status, body, answer } = await calls('POST', '/Users', ENTRA);
  assert.equal(status, 201);
  assert.equal(answer.headers.location, body.meta.location);
  assert.match(String(answer.headers['content-type']), /^application\/scim\+json/);
  const { id, meta: _, ...shown } = body;
  assert.deepEqual(shown, {
    schemas: [USER],
    externalId: ENTRA.externalId,
    userName: ENTRA.userName,
    displayName: 'givenName familyName',
    name: ENTRA.name,
    emails: ENTRA.emails,
    active: true,
  });
  assert.deepEqual((await calls('GET', `/Users/${id}`)).body, body);
  assert.deepEqual(await finds(`userName eq "${ENTRA.userName.toUpperCase()}"`), [id]);
  assert.deepEqual(await finds(`externalId eq "${ENTRA.externalId}"`), [id]);
  assert.deepEqual(await finds(`emails[type eq "work"].value eq "${ENTRA.emails[0]?.value}"`), [id]);
  assert.equal((await calls('POST', '/Users', ENTRA)).body.scimType, 'uniqueness');

  const changed = await patches(
    id,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
    { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    { op: 'Add', path: `${ENTERPRISE}:department`, value: 'ignored' },
  );
  assert.equal(changed.status, 200);
  assert.deepEqual(
    [changed.body.emails[0].value, changed.body.name],
    [
      'updatedEmail@microsoft.com',
      {
        formatted: 'givenName updatedFamilyName',
        familyName: 'updatedFamilyName',
        givenName: 'givenName',
      },
    ],
  );
  const userName = '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com';
  const renamed = await patches(id, { op: 'Replace', path: 'userName', value: userName });
  assert.equal(renamed.body.userName, userName);
  const manager = [{ $ref: 'http://.../scim/Users/00aa00aa', value: '00aa00aa' }];
  assert.equal((await patches(id, { op: 'Add', path: 'manager', value: manager })).status, 200);
  assert.equal((await patches(id, { op: 'Replace', path: 'active', value: false })).body.active, false);
  assert.equal((await patches(id, { op: 'Replace', path: 'active', value: true })).body.active, true);
  // As it sends booleans unless it is told otherwise.
  assert.equal((await patches(id, { op: 'Replace', path: 'active', value: 'False' })).body.active, false);
  assert.equal((await calls('DELETE', `/Users/${id}`)).status, 204);
  assert.equal((await calls('GET', `/Users/${id}`)).status, 404);
  assert.equal((await world.db`select from accounts where deleted_at is null`).length, 0);
});

test('Entra ID: creates somebody with attributes that are null, and finds them without quotation marks', async (t) => {
  const { calls, finds } = await scimScene(t);
  assert.deepEqual(await finds('externalId eq jyoung'), []);
  const { status, body } = await calls('POST', '/Users', {
    schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0User'],
    externalId: 'jyoung',
    userName: 'jyoung@testuser.com',
    active: true,
    addresses: null,
    displayName: 'Joy Young',
    emails: [{ type: 'work', value: 'jyoung@Contoso.com', primary: true }],
    meta: { resourceType: 'User' },
    name: { familyName: 'Young', givenName: 'Joy' },
    phoneNumbers: null,
    preferredLanguage: null,
    title: null,
    department: null,
    manager: null,
  });
  assert.deepEqual(
    [status, body.displayName, body.emails[0].value],
    [201, 'Joy Young', 'jyoung@Contoso.com'],
  );
  assert.deepEqual(await finds('externalId eq jyoung'), [body.id]);
});

test('Okta: creates, replaces, deactivates without a path, and activates again', async (t) => {
  const { calls, patches, finds, signsIn, browser, whoIs } = await scimScene(t);
  const asked = await calls(
    'GET',
    '/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100',
  );
  assert.deepEqual(asked.body, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
  });
  const { body } = await calls('POST', '/Users', OKTA);
  const { id } = body;
  assert.equal(body.displayName, 'Test User');
  assert.equal(body.password, undefined);
  const replaced = await calls('PUT', `/Users/${id}`, {
    schemas: [USER],
    id,
    userName: OKTA.userName,
    name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
    emails: [{ ...OKTA.emails[0], display: OKTA.userName }],
    active: true,
    groups: [],
    meta: { resourceType: 'User' },
  });
  assert.deepEqual([replaced.status, replaced.body.displayName], [200, 'Another User']);

  const person = browser();
  const claims = { sub: OKTA.externalId, email: OKTA.userName, name: 'x' };
  assert.equal((await signsIn(person, claims)).status, 303, 'the subject is the id that was announced');
  assert.equal(await whoIs(person), id);
  assert.equal((await patches(id, { op: 'replace', value: { active: false } })).body.active, false);
  assert.equal(await whoIs(person), undefined);
  assert.match((await signsIn(browser(), claims)).text, /your organisation has closed this account/);
  assert.equal((await patches(id, { op: 'replace', value: { active: true } })).body.active, true);
  assert.equal((await signsIn(person, claims)).status, 303);
  assert.deepEqual(await finds('userName eq "nobody"'), []);
});

test('Okta’s test of endpoints requires both names of each person who is listed; a name of one word is the first', async (t) => {
  const { calls, patches } = await scimScene(t);
  await calls('POST', '/Users', OKTA);
  const [listed] = (await calls('GET', '/Users?count=1&startIndex=1')).body.Resources;
  assert.deepEqual(listed.name, { formatted: 'Test User', ...OKTA.name });

  const { body } = await calls('POST', '/Users', { userName: 'ada@company.example', displayName: 'Ada' });
  assert.deepEqual(body.name, { formatted: 'Ada', givenName: 'Ada' });
  const renamed = await patches(body.id, { op: 'replace', path: 'name.givenName', value: 'Bob' });
  assert.deepEqual(renamed.body.name, { formatted: 'Bob', givenName: 'Bob' });
});
