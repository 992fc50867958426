import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { providerScene } from '#testing/provider-scene.ts';
import type { FurtherChange } from './index.ts';

const CLAIM = { operatorsClaim: 'groups', operatorsValue: 'chat-admins' };
const NO_CLAIM = { operatorsClaim: null, operatorsValue: null };

/** A provider whose claim makes operators, and a person who is connected with it. */
async function scene(t: TestContext) {
  const { world, provider, providerId, browser, signsIn } = await providerScene(t);
  const { accountId, cookie } = await world.person('Ada');
  const ada = browser(cookie);
  const { url } = await ada.gets('POST', `/api/auth/identities/${providerId}`, { returnTo: '/account' });
  await ada.opens(provider.grants(url, { sub: 'ada' }));
  const changes = (change: FurtherChange & { name?: string }) =>
    world.operators.perform('provider.changed', { providerId }, change);
  await changes(CLAIM);
  return {
    ...{ world, providerId, accountId, ada, changes },
    comes: (groups: string | string[]) => signsIn(ada, { sub: 'ada', groups }),
    standing: () => world.operators.findStanding(accountId),
  };
}

test('a claim makes operators, and unmakes those whom it made', async (t) => {
  const { world, providerId, accountId, comes, standing } = await scene(t);
  await comes(['staff', 'chat-admins']);
  assert.deepEqual(await standing(), { isTwoFactorOn: false });
  await comes(['chat-admins-not']);
  assert.equal(await standing(), undefined);
  await comes('chat-admins');
  const { acts } = await world.operators.listActs();
  assert.deepEqual(
    acts.slice(0, 3).map(({ act, subject, provider }) => [act, subject, provider?.providerId]),
    ['operator.added', 'operator.removed', 'operator.added'].map((act) => [act, accountId, providerId]),
  );
});

test('once the claim is another, or none, those whom it made are no operators', async (t) => {
  const { changes, comes, standing } = await scene(t);
  for (const other of [NO_CLAIM, { ...CLAIM, operatorsValue: 'others' }]) {
    await changes(CLAIM);
    await comes('chat-admins');
    await changes({ ...CLAIM, name: 'Firm' });
    assert.ok(await standing(), 'the claim has not changed');
    await changes(other);
    assert.equal(await standing(), undefined);
  }
});

test('somebody who disconnects from the provider that made them an operator is none', async (t) => {
  const { world, providerId, accountId, ada, comes, standing } = await scene(t);
  await comes('chat-admins');
  await world.db`update accounts set password_hash = 'x' where account_id = ${accountId}`;
  await ada.gets('DELETE', `/api/auth/identities/${providerId}`);
  assert.equal(await standing(), undefined);
});
