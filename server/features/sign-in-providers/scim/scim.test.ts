import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importPeople } from '#features/accounts/index.ts';
import { countWaiting } from '#testing/citus.ts';
import { ENTRA, OKTA, scimScene, USER } from '#testing/scim-scene.ts';
import { eventually } from '#testing/waits.ts';

test('of two changes at the same time, the one made last decides by which address the person is found', async (t) => {
  const { calls, patches, world } = await scimScene(t);
  const { id } = (await calls('POST', '/Users', OKTA)).body;
  const path = 'emails[type eq "work"].value';
  const answers = await Promise.all(
    ['one', 'two'].map((name) => patches(id, { op: 'replace', path, value: `${name}@okta.local` })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const names = await world.db`select value from unique_names where kind = 'email'`;
  assert.deepEqual([...names], [{ value: (await calls('GET', `/Users/${id}`)).body.emails[0].value }]);
});

test('an address that is added besides the one for work does not take its place', async (t) => {
  const { calls, patches } = await scimScene(t);
  const { id, emails } = (await calls('POST', '/Users', OKTA)).body;
  const home = { value: 'home@okta.local', type: 'home' };
  const work = { value: 'new@okta.local', type: 'work' };
  const address = async () => (await calls('GET', `/Users/${id}`)).body.emails[0].value;
  await patches(id, { op: 'add', path: 'emails', value: [home] });
  await patches(id, { op: 'Add', value: { emails: [home] } });
  assert.equal(await address(), emails[0].value);
  await patches(id, { op: 'add', path: 'emails', value: [home, work] });
  assert.equal(await address(), work.value);
});

test('a user name is found in every alphabet, whatever its case, and a name keeps the joiners that it needs', async (t) => {
  const { calls, finds } = await scimScene(t);
  for (const userName of ['İpek', 'ΣΑΣ', 'Ärztin']) {
    const emails = [{ value: `${encodeURIComponent(userName)}@company.example` }];
    const { body } = await calls('POST', '/Users', { schemas: [USER], userName, emails });
    assert.deepEqual(await finds(`userName eq "${userName}"`), [body.id], userName);
  }
  const displayName = 'علی\u200cرضا 👨\u200d👩\u200d👧';
  const named = await calls('POST', '/Users', { ...OKTA, displayName });
  assert.equal(named.body.displayName, displayName);
  const invisible = await calls('POST', '/Users', { ...ENTRA, displayName: '\u3164', name: {} });
  assert.equal(invisible.body.displayName, ENTRA.userName);
});

test('somebody else at the provider does not become the person who was announced', async (t) => {
  const { calls, signsIn, browser, whoIs } = await scimScene(t);
  const { id } = (await calls('POST', '/Users', ENTRA)).body;
  const other = browser();
  await signsIn(other, { sub: 'mallory', email: ENTRA.emails[0]?.value });
  assert.equal(await whoIs(other), undefined, 'an address that is not confirmed');
  await signsIn(other, { sub: 'x', oid: ENTRA.externalId });
  assert.equal(await whoIs(other), id, 'the id of the directory');
  const second = browser();
  await signsIn(second, { sub: 'y', oid: ENTRA.externalId });
  assert.equal(await whoIs(second), undefined, 'an announcement is taken once');
});

test('deactivation ends sessions and streams and holds grants; messages stay, and an operator’s suspension, too', async (t) => {
  const { calls, patches, finds, signsIn, browser, whoIs, world } = await scimScene(t);
  const ada = browser();
  await signsIn(ada, { sub: 'ada', name: 'Ada', email: 'ada@company.example' });
  const accountId = (await whoIs(ada)) ?? '';
  assert.deepEqual(await finds('userName eq "ada@company.example"'), [accountId]);
  const bob = await world.person('Bob');
  await bob.writes({ accountId }, 'hello');
  const sent = await ada.calls('POST', '/api/chat/messages', {
    to: bob.accountId,
    type: 'text',
    content: 'hi',
  });
  assert.equal(sent.status, 201);
  const client = await world.client();
  const { access } = await client.tokens({
    scopes: ['profile'],
    person: Object.assign(Object.create(bob), {
      accountId,
      cookie: /parley_session=[^;]*/.exec(ada.cookie)?.[0],
    }),
  });
  const info = async () => (await client.calls(access, 'GET', '/v1/me')).status;
  const before = await info();
  const ended: unknown[] = [];
  t.after(world.live.subscribe(accountId, (event) => void ended.push(event.type)));

  await patches(accountId, { op: 'replace', value: { active: false } });
  assert.equal(await whoIs(ada), undefined);
  assert.ok(ended.includes('session.ended'));
  assert.ok(before < 400 && (await info()) >= 400, 'the token is refused');
  assert.equal((await bob.reads({ accountId })).length, 2, 'messages stay');

  const suspension = { until: undefined, reason: 'spam' };
  await world.accounts.operator.suspendPerson(accountId, suspension, async () => {});
  await patches(accountId, { op: 'replace', value: { active: true } });
  assert.match((await signsIn(ada, { sub: 'ada' })).text, /spam/, 'the suspension is the operator’s to lift');
  assert.ok((await info()) >= 400);
  await world.operators.perform('person.suspension-lifted', { accountId }, { reason: 'over' });
  await signsIn(ada, { sub: 'ada' });
  assert.equal(await whoIs(ada), accountId);
  assert.equal(await info(), before);
  assert.ok((await calls('GET', `/Users/${accountId}`)).body.active);
});

test('an account that the provider did not make keeps its name and address, and is never deleted by it', async (t) => {
  const { calls, provider, providerId, browser, world } = await scimScene(t);
  const ada = await world.person('Ada');
  const inAda = browser(ada.cookie);
  const { url } = await inAda.gets('POST', `/api/auth/identities/${providerId}`, {});
  await inAda.opens(provider.grants(url, { sub: 'ada', email: 'ada@company.example' }));
  const change = {
    userName: 'ada@company.example',
    displayName: 'Mallory',
    emails: [{ value: 'm@company.example' }],
  };
  const { body } = await calls('PUT', `/Users/${ada.accountId}`, change);
  assert.deepEqual([body.displayName, body.emails[0].value], ['Ada', `${ada.accountId}@example.com`]);
  assert.equal((await calls('DELETE', `/Users/${ada.accountId}`)).status, 204);
  assert.equal((await calls('GET', `/Users/${ada.accountId}`)).body.active, false);
});

test('only the token of the provider is taken, and it manages its own people alone', async (t) => {
  const { calls, world, provider } = await scimScene(t);
  const stranger = await world.person('Bob');
  assert.equal((await calls('GET', `/Users/${stranger.accountId}`)).status, 404);
  assert.equal(
    (
      await calls('PATCH', `/Users/${stranger.accountId}`, {
        Operations: [{ op: 'replace', value: { active: false } }],
      })
    ).status,
    404,
  );
  assert.equal((await calls('DELETE', '/Users/usr_x')).status, 404);
  const { id } = (await calls('POST', '/Users', OKTA)).body;
  const other = await world.signInProviders.addProvider(
    { ...provider.settings, name: 'Other', issuer: 'https://login.example.com' },
    async () => {},
  );
  const theirs = await world.signInProviders.makeScimToken(other.providerId, async () => {});
  const ask = (authorization?: string) =>
    world.app.inject({ url: `/scim/v2/Users/${id}`, headers: authorization ? { authorization } : {} });
  assert.equal((await ask(`Bearer ${theirs}`)).statusCode, 404);
  for (const wrong of [undefined, 'Bearer x', `Bearer ${theirs}x`, `Basic ${theirs}`]) {
    const { statusCode, headers } = await ask(wrong);
    assert.deepEqual([statusCode, typeof headers['www-authenticate']], [401, 'string'], wrong);
  }
});

test('of several people who are created at once with one user name, one is', async (t) => {
  const { calls, patches } = await scimScene(t);
  const create = (userName: string, email: string) =>
    calls('POST', '/Users', { userName, emails: [{ value: email }] });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => create(i % 2 === 0 ? 'ada' : 'Ada', `ada${i}@company.example`)),
  );
  const [refused = [], created = []] = [409, 201].map((status) =>
    answers.filter((answer) => answer.status === status),
  );
  assert.deepEqual([created.length, refused.length], [1, 7]);
  assert.ok(refused.every(({ body }) => body.scimType === 'uniqueness'));
  const others = await Promise.all(['bob', 'cleo'].map((name) => create(name, `${name}@company.example`)));
  const renamed = await Promise.all(
    others.map(({ body }) => patches(body.id, { op: 'replace', value: { userName: 'dora' } })),
  );
  assert.deepEqual(renamed.map(({ status }) => status).toSorted(), [200, 409]);
});

test('an imported account is taken where addresses count, and one that somebody can enter is not', async (t) => {
  const { calls, world, providerId, signsIn, browser, whoIs } = await scimScene(t);
  const accountId = world.newId('usr');
  const imported = {
    ...{ key: 'slack:U1', accountId, name: 'Imported', email: OKTA.userName },
    suspensionReason: undefined,
  };
  await world.db.begin((tx) => importPeople(tx, { created: [imported], matched: [], at: world.clock.now() }));
  assert.equal((await calls('POST', '/Users', OKTA)).status, 409);
  await world.signInProviders.changeProvider(providerId, { findsByEmail: true }, async () => {});
  const emails = [{ value: 'bob@example.com' }];
  const own = { name: 'Bob', email: 'bob@example.com', password: 'correct horse battery' };
  assert.equal((await browser().calls('POST', '/api/auth/sign-up', own)).status, 201);
  assert.equal((await calls('POST', '/Users', { userName: 'bob', emails })).status, 409);
  const { status, body } = await calls('POST', '/Users', OKTA);
  assert.deepEqual([status, body.id, body.displayName], [201, accountId, imported.name]);
  assert.equal((await calls('POST', '/Users', { ...OKTA, userName: 'another' })).status, 409, 'taken once');
  const ada = browser();
  await signsIn(ada, { sub: OKTA.externalId });
  assert.equal(await whoIs(ada), accountId);
  assert.equal((await calls('DELETE', `/Users/${accountId}`)).status, 204);
  assert.equal(await whoIs(ada), undefined);
  const [row] =
    await world.db`select deleted_at, deactivated_at from accounts where account_id = ${accountId}`;
  assert.deepEqual([row?.['deletedAt'], typeof row?.['deactivatedAt']], [null, 'number']);
});

test('the acts of a provider are in the operators’ trail, by its name', async (t) => {
  const { calls, patches, world, providerId, provider } = await scimScene(t);
  const { id } = (await calls('POST', '/Users', ENTRA)).body;
  await patches(id, { op: 'replace', value: { displayName: 'Ada', active: false } });
  await patches(id, { op: 'replace', value: { active: 'False' } });
  await patches(id, { op: 'replace', value: { active: true } });
  await calls('PUT', `/Users/${id}`, { ...ENTRA, displayName: 'Ada' });
  assert.equal((await calls('POST', '/Users', ENTRA)).status, 409, 'nothing happened: no entry');
  await calls('DELETE', `/Users/${id}`);
  const { acts } = await world.operators.listActs();
  const by = { providerId, name: provider.settings.name };
  assert.deepEqual(
    acts.map(({ actId: _, at: __, ...act }) => act),
    [
      { act: 'person.deprovisioned', details: {} },
      { act: 'person.reactivated', details: {} },
      { act: 'person.deactivated', details: {} },
      { act: 'person.provision-changed', details: { changed: 'name' } },
      { act: 'person.provisioned', details: { userName: ENTRA.userName } },
    ].map((act) => ({ ...act, subject: id, provider: by })),
  );
});

test('metadata, pages of a list, and errors in the format of SCIM', async (t) => {
  const { calls, patches } = await scimScene(t);
  assert.equal((await calls('GET', '/ServiceProviderConfig')).body.patch.supported, true);
  assert.equal((await calls('GET', '/ResourceTypes')).body.Resources[0].endpoint, '/Users');
  assert.equal((await calls('GET', '/Schemas')).body.Resources[0].id, USER);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c'])
    ids.push((await calls('POST', '/Users', { userName: `${name}@company.example` })).body.id);
  const { body } = await calls('GET', '/Users?startIndex=2&count=1');
  assert.deepEqual(
    [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources[0].id],
    [3, 2, 1, ids[1]],
  );
  const [id = ''] = ids;
  const errors = {
    invalidFilter: await calls('GET', `/Users?filter=${encodeURIComponent('userName co "a"')}`),
    invalidValue: await calls('POST', '/Users', { displayName: 'x' }),
    invalidSyntax: await patches(id, { op: 'move', path: 'active' }),
    uniqueness: await calls('POST', '/Users', { userName: 'a@company.example' }),
  };
  for (const [scimType, { status, body: error }] of Object.entries(errors)) {
    assert.equal(error.scimType, scimType);
    assert.deepEqual(
      [error.schemas, error.status],
      [['urn:ietf:params:scim:api:messages:2.0:Error'], String(status)],
    );
  }
  assert.equal(
    (await calls('POST', '/Users', { userName: 'b', emails: [{ value: 'no address' }] })).status,
    400,
  );
  for (const path of ['/Groups?filter=x', '/Users/a/b', '', '/Bulk'])
    assert.deepEqual((await calls('GET', path)).body, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: `there is no GET /scim/v2${path.split('?')[0]}`,
    });
  const odd = { toString: 'no function' };
  assert.equal((await patches(id, { op: odd, path: 'active', value: true })).status, 400);
  for (const active of [odd, 0, 'no'])
    assert.equal((await patches(id, { op: 'replace', path: 'active', value: active })).status, 400);
  const value = { emails: [{ value: 'a@company.example', type: odd, primary: odd }] };
  assert.equal((await patches(id, { op: 'replace', value })).status, 200);
});

test('a token that is removed while the settings of its provider change stays removed', async (t) => {
  const { calls, world, providerId } = await scimScene(t);
  const { signInProviders, db } = world;
  let removing: Promise<void> | undefined;
  await signInProviders.changeProvider(providerId, { name: 'Renamed' }, async () => {
    removing = signInProviders.removeScimToken(providerId, async () => {});
    await eventually(async () => (await countWaiting(db)) > 0);
  });
  await removing;
  const [{ name } = {}] = await signInProviders.listProviders();
  assert.equal(name, 'Renamed');
  assert.equal((await calls('GET', '/Users')).status, 401);
});
