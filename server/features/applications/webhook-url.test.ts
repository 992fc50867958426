import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNREADABLE } from '#testing/damage.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { createWorldFor, type World } from '#testing/world.ts';
import { storeWebhookUrl } from './addresses.ts';
import { updateWebhookUrl } from './queries.ts';
import { findApplicationsForDelivery, findEventReceivers, lockAnyApplication } from './service.ts';
import { removeWebhookUrl, setWebhookUrl } from './settings.ts';

const URL = 'https://hooks.example.com/t0ken?key=s3cret';

/** A world in which every host name resolves, so that a URL can be set. */
async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  world.guard = { ...world.guard, resolve: async () => [{ address: '203.0.114.1', family: 4 }] };
  const bot = await world.bot();
  return { world, own: { actorId: bot.owner.accountId, appId: bot.appId }, ...bot };
}

async function urlOf(world: World, appId: string) {
  const [receiver] = await findEventReceivers(world.db, [appId]);
  const [application] = await findApplicationsForDelivery(world, [appId]);
  assert.equal(receiver?.hasWebhookUrl, application?.hasWebhookUrl);
  return application?.webhookUrl;
}

test('a webhook URL is stored sealed, and bound to its application', async (t) => {
  const { world, own, appId } = await scene(t);
  await setWebhookUrl(world, own, URL, []);
  assert.equal(await urlOf(world, appId), URL);
  const dump = JSON.stringify(await world.db`select t::text as text from applications t`);
  for (const secret of ['t0ken', 's3cret', Buffer.from(URL).toString('hex')])
    assert.equal(dump.includes(secret), false);
  expectErrors(UNREADABLE);
  const other = await world.bot();
  const elsewhere = storeWebhookUrl(world.keyring, appId, URL);
  await world.db.begin(async (tx) =>
    updateWebhookUrl(tx, await lockAnyApplication(tx, other.appId), elsewhere),
  );
  assert.equal(await urlOf(world, other.appId), undefined);

  await removeWebhookUrl(world, own, []);
  assert.equal(await urlOf(world, appId), undefined);
});
