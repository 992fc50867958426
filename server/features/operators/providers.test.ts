import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMPANY } from '#testing/openid-provider.ts';
import { operatorScene } from '#testing/operator-scene.ts';

const GIVEN = {
  ...COMPANY,
  issuer: 'https://login.example.com/realms/one',
  clientSecret: 'hidden',
  domains: ['Example.com', 'example.com'],
};

test('an operator adds, changes and removes a provider; each is an entry of the trail, without the secret', async (t) => {
  const { operator, world } = await operatorScene(t);
  const added = await operator.gets('POST', '/api/operate/providers', GIVEN);
  const { providerId, createdAt, ...shown } = added;
  const own = `http://localhost:3000/sign-in/providers/${providerId}`;
  const { clientSecret: _, ...settings } = GIVEN;
  assert.deepEqual(shown, {
    ...{ ...settings, domains: ['example.com'], hasScimToken: false },
    ...{
      callbackUrl: `${own}/callback`,
      logoutUrl: `${own}/logout`,
      scimUrl: 'http://localhost:3000/scim/v2',
    },
  });
  assert.equal(createdAt, world.clock.now());
  const path = `/api/operate/providers/${providerId}`;
  const changed = await operator.gets('PATCH', path, { name: 'Firm', clientSecret: 'other' });
  assert.deepEqual(changed, { ...added, name: 'Firm' });
  assert.deepEqual((await operator.gets('GET', '/api/operate/providers')).providers, [changed]);
  const listed = await operator.gets('GET', '/api/auth/providers');
  assert.deepEqual(listed, { providers: [{ providerId, name: 'Firm' }], takesPasswords: true });

  const { token } = await operator.gets('POST', `${path}/scim-token`, {});
  assert.equal((await world.signInProviders.findByScimToken(token))?.providerId, providerId);
  const { token: second } = await operator.gets('POST', `${path}/scim-token`, {});
  assert.equal(await world.signInProviders.findByScimToken(token), undefined);
  await operator.gets('DELETE', `${path}/scim-token`, {});
  assert.equal(await world.signInProviders.findByScimToken(second), undefined);

  await operator.gets('DELETE', path, { reason: 'sold' });
  assert.equal((await operator.calls('PATCH', path, { name: 'x' })).status, 404);
  const { acts } = await operator.gets('GET', '/api/operate/acts');
  assert.deepEqual(
    acts.slice(0, 6).map((one: { act: string }) => one.act.replace('provider.', '')),
    ['removed', 'scim-token-removed', 'scim-token-made', 'scim-token-made', 'changed', 'added'],
  );
  assert.deepEqual(acts[4].details, { name: { from: GIVEN.name, to: 'Firm' }, clientSecret: '…' });
  assert.ok(!/hidden|"other"/.test(JSON.stringify(acts)) && !JSON.stringify(acts).includes(token));
});

test('a provider needs an issuer that is reached safely, and there is one of each', async (t) => {
  const { operator } = await operatorScene(t);
  const add = (issuer: string) => operator.calls('POST', '/api/operate/providers', { ...GIVEN, issuer });
  for (const issuer of [
    'http://login.example.com',
    'https://a@b.example',
    'https://x.example?a=b',
    'login',
    'https://x.example/#a',
  ])
    assert.equal((await add(issuer)).status, 400, issuer);
  for (const own of ['https://keycloak', 'https://login.internal', 'https://10.1.2.3:8443/realms/x'])
    assert.equal((await add(own)).status, 201, `${own} is in the operator's own network`);
  assert.equal((await add('https://keycloak')).status, 409);
  const claim = await operator.calls('PATCH', '/api/operate/providers/idp_x', { operatorsClaim: 'groups' });
  assert.equal(claim.status, 400, 'only the command line makes operators by a claim');
});
