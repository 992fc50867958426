import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { columnsOf } from '#testing/columns.ts';
import { switchOpenId } from '#testing/openid-scene.ts';
import { createWorldFor } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const client = await world.client();
  const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path = '', body?: object) =>
    client.owner.calls(method, `/api/console/applications/${client.appId}/openid${path}`, body);
  const trail = async () => {
    const { body } = await client.owner.calls('GET', `/api/console/applications/${client.appId}/audit`);
    return columnsOf(body.data.entries, 'action', 'details');
  };
  return { world, client, call, trail };
}

test('OpenID Connect is off until the owner switches it on', async (t) => {
  const { client, call } = await scene(t);
  const off = { isEnabled: false, issuer: 'http://localhost:3000', postLogoutRedirectUris: [] };
  assert.deepEqual((await call('GET')).body.data, off);
  for (const isEnabled of [true, false]) {
    await switchOpenId(client, isEnabled);
    assert.deepEqual((await call('GET')).body.data, { ...off, isEnabled });
  }
});

test('logout addresses are checked, stored byte for byte, and named in the audit trail', async (t) => {
  const { call, trail } = await scene(t);
  const uris = '/post-logout-redirect-uris';
  const uri = 'https://app.example.com/bye?x=%41';
  assert.deepEqual(
    (await call('POST', uris, { postLogoutRedirectUri: uri })).body.data.postLogoutRedirectUris,
    [uri],
  );
  assert.equal((await call('POST', uris, { postLogoutRedirectUri: uri })).status, 200, 'twice is once');
  for (const bad of ['http://app.example.com/', 'https://app.example.com/#x', 'javascript:alert(1)', '//x']) {
    const { status, body } = await call('POST', uris, { postLogoutRedirectUri: bad });
    assert.equal(status, 400, bad);
    assert.match(body.message, /^postLogoutRedirectUri /);
  }
  assert.deepEqual(
    (await call('DELETE', uris, { postLogoutRedirectUri: uri })).body.data.postLogoutRedirectUris,
    [],
  );
  assert.equal((await call('DELETE', uris, { postLogoutRedirectUri: uri })).status, 404);
  const hook = '/backchannel-logout-uri';
  for (const bad of ['http://app.example.com/', 'https://127.0.0.1/x', 'https://localhost/x', 'x']) {
    const { status, body } = await call('PUT', hook, { backchannelLogoutUri: bad });
    assert.equal(status, 400, bad);
    assert.match(body.message, /^backchannelLogoutUri /);
  }
  const url = 'https://93.184.215.14/logout?secret=x';
  assert.equal((await call('PUT', hook, { backchannelLogoutUri: url })).body.data.backchannelLogoutUri, url);
  assert.equal((await call('DELETE', hook)).body.data.backchannelLogoutUri, undefined);
  assert.deepEqual((await trail()).slice(0, 4), [
    ['openid.logout-url-removed', {}],
    ['openid.logout-url-set', { host: '93.184.215.14' }],
    ['openid.logout-uri-removed', { uri }],
    ['openid.logout-uri-added', { uri }],
  ]);
});

test('the addresses are deleted with the application', async (t) => {
  const { world, client, call } = await scene(t);
  await call('POST', '/post-logout-redirect-uris', { postLogoutRedirectUri: 'https://app.example.com/bye' });
  await call('PUT', '/backchannel-logout-uri', {
    backchannelLogoutUri: 'https://93.184.215.14/logout?secret=x',
  });
  await client.owner.deletes(client);
  for (const table of ['logout_redirect_uris', 'openid_clients'])
    assert.equal((await world.db`select from ${world.db(table)}`).length, 0, table);
});

test('an application has at most 20 addresses for redirects after a logout', async (t) => {
  const { call } = await scene(t);
  const add = (i: number) =>
    call('POST', '/post-logout-redirect-uris', { postLogoutRedirectUri: `https://a.example/${i}` });
  for (let i = 0; i < 20; i++) assert.equal((await add(i)).status, 200);
  assert.equal((await add(20)).status, 429);
  assert.equal((await add(19)).status, 200, 'one that is there');
});

test('an error in place of the keys is not cached like them', async (t) => {
  const { world, client } = await scene(t);
  await switchOpenId(client, true);
  await world.db.end({ timeout: 0 });
  const { statusCode, headers } = await world.app.inject('/oauth/jwks');
  assert.deepEqual([statusCode, headers['cache-control']], [503, undefined]);
});
