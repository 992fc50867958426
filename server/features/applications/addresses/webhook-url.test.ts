import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, type World } from '#testing/world.ts';
import { findApplication, updateWebhookUrl } from '../queries.ts';
import { findApplicationForDelivery, findEventReceivers, lockAnyApplication } from '../service.ts';
import { removeWebhookUrl, setWebhookUrl } from '../settings.ts';
import { sealClearWebhookUrls, storeWebhookUrl } from './webhook-url.ts';

const URL = 'https://hooks.example.com/t0ken?key=s3cret';
const OTHER_URL = 'https://hooks.example.com/other';
const DAY = 86_400_000;

/** A world in which every host name resolves, so that a URL can be set. */
async function scene({ isUpgrading = false } = {}) {
  const world = await createWorld();
  world.guard = { ...world.guard, resolve: async () => [{ address: '203.0.114.1', family: 4 }] };
  world.upgradeEndsAt = isUpgrading ? world.clock.now() + DAY : 0;
  const bot = await world.bot();
  return { world, own: { ownerId: bot.owner.accountId, appId: bot.appId }, ...bot };
}

async function stored({ db }: World, appId: string) {
  const row = await findApplication(db, appId);
  assert.ok(row);
  return { clear: row.webhookUrl, isSealed: row.sealedWebhookUrl !== null };
}

async function urlOf(world: World, appId: string) {
  const [receiver] = await findEventReceivers(world.db, [appId]);
  const application = await findApplicationForDelivery(world, appId);
  assert.equal(receiver?.hasWebhookUrl, application?.hasWebhookUrl);
  return application?.webhookUrl;
}

/** Writes as the previous version does. */
function writeClear({ db }: World, appId: string, url: string | null) {
  return db`update applications set webhook_url = ${url} where app_id = ${appId}`;
}

test('a webhook URL is stored sealed, and bound to its application', async () => {
  const { world, own, appId } = await scene();
  await using _ = world;
  await setWebhookUrl(world, own, URL, []);
  assert.equal(await urlOf(world, appId), URL);
  const dump = JSON.stringify(await world.db`select t::text as text from applications t`);
  for (const secret of ['t0ken', 's3cret', Buffer.from(URL).toString('hex')])
    assert.equal(dump.includes(secret), false);
  const other = await world.bot();
  const elsewhere = storeWebhookUrl(world, appId, URL);
  await world.db.begin(async (tx) =>
    updateWebhookUrl(tx, await lockAnyApplication(tx, other.appId), elsewhere),
  );
  assert.equal(await urlOf(world, other.appId), undefined);

  await removeWebhookUrl(world, own);
  assert.deepEqual(await stored(world, appId), { clear: null, isSealed: false });
  assert.equal(await urlOf(world, appId), undefined);
});

test('while the previous version may run, both versions read and remove each other’s values', async () => {
  const { world, own, appId } = await scene({ isUpgrading: true });
  await using _ = world;
  await writeClear(world, appId, URL);
  assert.equal(await urlOf(world, appId), URL);
  await setWebhookUrl(world, own, OTHER_URL, []);
  assert.deepEqual(await stored(world, appId), { clear: OTHER_URL, isSealed: false });
  await sealClearWebhookUrls(world, { limit: 10 });
  assert.equal((await stored(world, appId)).clear, OTHER_URL);
  await writeClear(world, appId, null);
  assert.equal(await urlOf(world, appId), undefined);
});

test('plain text of the previous version is sealed in slices once that version can no longer run', async () => {
  const { world, own, appId } = await scene({ isUpgrading: true });
  await using _ = world;
  const others = [await world.bot(), await world.bot()].map((bot) => bot.appId);
  for (const one of [appId, ...others]) await writeClear(world, one, `${URL}&of=${one}`);
  world.clock.advance({ hours: 24 });
  await sealClearWebhookUrls(world, { limit: 2 });
  const states = () => Promise.all([appId, ...others].map((one) => stored(world, one)));
  assert.deepEqual(
    (await states()).map(({ isSealed }) => isSealed),
    [true, true, false],
  );
  await sealClearWebhookUrls(world, { limit: 2 });
  for (const state of await states()) assert.deepEqual(state, { clear: null, isSealed: true });
  for (const one of [appId, ...others]) assert.equal(await urlOf(world, one), `${URL}&of=${one}`);
  await setWebhookUrl(world, own, OTHER_URL, []);
  assert.deepEqual(await stored(world, appId), { clear: null, isSealed: true });
  assert.equal(await urlOf(world, appId), OTHER_URL);
  // A URL that the previous version writes later supersedes the sealed one.
  await writeClear(world, appId, URL);
  assert.equal(await urlOf(world, appId), URL);
  await sealClearWebhookUrls(world, { limit: 2 });
  assert.deepEqual([await urlOf(world, appId), (await stored(world, appId)).clear], [URL, null]);
});
