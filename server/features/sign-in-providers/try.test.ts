import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerScene } from '#testing/provider-scene.ts';

test('a provider is tried, and its faults are told in the words of an operator', async (t) => {
  const { world, provider, providerId } = await providerScene(t);
  const { signInProviders } = world;
  const tries = async () => {
    const faults = await signInProviders.tryProvider(providerId);
    return faults.map(({ what }) => what.reason);
  };
  const becomes = (issuer: string) =>
    signInProviders.changeProvider(providerId, {}, async (tx) => {
      await tx`update sign_in_providers set issuer = ${issuer} where provider_id = ${providerId}`;
    });
  assert.deepEqual(await tries(), []);

  await signInProviders.changeProvider(providerId, { clientSecret: 'wrong' }, async () => {});
  const [client] = await signInProviders.tryProvider(providerId);
  assert.equal(client?.what.reason, 'health.provider-client');
  assert.match(client?.remedy.message ?? '', new RegExp(`/sign-in/providers/${providerId}/callback`));
  // As Keycloak and Entra ID say it, and as RFC 6749 asks of those that want HTTP Basic.
  provider.misbehaves = { refusal: { error: 'unauthorized_client' } };
  assert.deepEqual(await tries(), ['health.provider-client']);
  provider.misbehaves = {
    refusal: { error: 'invalid_client', headers: { 'www-authenticate': 'Basic realm="x"' } },
  };
  assert.deepEqual(await tries(), ['health.provider-client']);
  await signInProviders.changeProvider(providerId, { clientSecret: provider.client.secret }, async () => {});

  world.clock.advance({ minutes: 2 });
  assert.deepEqual(await tries(), ['health.provider-clock']);
  await becomes('http://localhost:1');
  assert.deepEqual(await tries(), ['health.provider-away']);
  await becomes(`${provider.issuer}/realms/other`);
  assert.deepEqual(await tries(), ['health.provider-no-discovery']);
  await becomes(provider.issuer.replace('http:', 'https:'));
  assert.deepEqual(await tries(), ['health.provider-away'], 'it speaks no TLS');
});
