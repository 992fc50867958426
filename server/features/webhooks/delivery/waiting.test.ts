import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteApplication,
  disableApplication,
  reactivateApplication,
  suspendApplication,
  unsuspendApplication,
} from '#features/applications/life-cycle.ts';
import { removeWebhookUrl, setWebhookUrl } from '#features/applications/settings.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { readFeed } from '../feed/event-feed.ts';
import { removeExpiredEvents } from '../log/expiry.ts';
import { createWebhookApplicationHook } from '../own-target.ts';
import { resumeForgotten, workOnTasks } from '../tasks/work.ts';

const CANCELLED = { state: 'cancelled', attempts: 0, nextAttemptAt: null };

test('events of a disabled application wait, and continue with their remaining attempts', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const own = await world.application();
  world.respond = () => ({ status: 500 });
  const msgId = await world.event(own);
  const sender = world.sender();
  assert.deepEqual(await world.deliver(sender), { retrying: 1 });

  await disableApplication(platform, own);
  platform.clock.advance({ seconds: 30 });
  assert.deepEqual(await world.deliver(sender), { parked: 1 });
  platform.clock.advance({ days: 40 });
  assert.deepEqual(await world.deliver(sender), {});
  const waiting = { msgId, state: 'retrying', attempts: 1 };
  assert.deepEqual(await world.deliveries(), [{ ...waiting, nextAttemptAt: null }]);
  assert.equal(receiver.requests.length, 1);

  let raised = 0;
  platform.dueDeliveries.subscribe(() => raised++);
  await reactivateApplication(platform, own, [createWebhookApplicationHook(platform)]);
  assert.equal(raised, 1);
  assert.deepEqual(await world.deliveries(), [{ ...waiting, nextAttemptAt: platform.clock.now() }]);
  for (const seconds of [60, 120, 240, 480, 960, 1920]) {
    assert.deepEqual(await world.deliver(sender), { retrying: 1 });
    platform.clock.advance({ seconds });
  }
  assert.deepEqual(await world.deliver(sender), { abandoned: 1 });
  assert.equal(receiver.requests.length, 8);
});

test('events of a suspended application wait too', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  const sender = world.sender();
  await world.event(own);
  await suspendApplication(platform, own.appId);
  assert.deepEqual(await world.deliver(sender), { parked: 1 });
  await unsuspendApplication(platform, own.appId, [createWebhookApplicationHook(platform)]);
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
});

test('once the webhook URL is removed, events that wait for it are left to the feed', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const [own, other] = [await world.application(), await world.application()];
  const hooks = [createWebhookApplicationHook(platform)];
  const sender = world.sender();
  world.respond = () => ({ status: 500 });
  const tried = await world.event(own);
  assert.deepEqual(await world.deliver(sender), { retrying: 1 });
  const fresh = await world.event(own);
  const foreign = await world.event(other);
  await removeWebhookUrl(platform, own, hooks);
  await workOnTasks(platform);
  const recorded = await world.event(own, 'as it was removed');
  platform.clock.advance({ seconds: 30 });
  assert.deepEqual(await world.deliver(sender), { retrying: 1, unsent: 1 });
  const unsent = { state: 'unsent', nextAttemptAt: null };
  const states = async () => (await world.deliveries()).filter(({ msgId }) => msgId !== foreign);
  const left = [
    { ...unsent, msgId: tried, attempts: 1 },
    { ...unsent, msgId: fresh, attempts: 0 },
    { ...unsent, msgId: recorded, attempts: 0 },
  ];
  assert.deepEqual(await states(), left);
  const { events } = await readFeed(platform, own.appId, { after: 0, limit: 9 });
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body.toString()).data.msgId),
    [tried, fresh, recorded],
  );
  await setWebhookUrl(platform, own, receiver.url, hooks);
  await world.deliver(sender);
  assert.deepEqual(await states(), left, 'what was left to the feed is not sent');
  platform.clock.advance({ days: 8 });
  await removeExpiredEvents(platform, { limit: 100 });
  assert.deepEqual(await states(), []);
});

test('events that waited for a removed URL when that was not noted are found', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  const msgId = await world.event(own);
  await platform.db`update event_queue set next_attempt_at = null`;
  await removeWebhookUrl(platform, own, []);
  await resumeForgotten(platform);
  assert.deepEqual(await world.deliveries(), [{ msgId, state: 'unsent', attempts: 0, nextAttemptAt: null }]);
});

test('an application that is reactivated while its events are being parked loses none', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  await world.event(own);
  await disableApplication(platform, own);
  const sender = world.sender();
  // The whole reactivation happens between reading the application and parking.
  const settle: typeof sender.settle = async (settlement) => {
    await reactivateApplication(platform, own, [createWebhookApplicationHook(platform)]);
    return sender.settle(settlement);
  };
  assert.deepEqual(await world.deliver({ ...sender, settle }), { parked: 1 });
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
});

test('an attempt in progress counts, whatever happens to its application meanwhile', async () => {
  for (const [answer, outcome] of [
    [{}, { delivered: 1 }],
    [{ status: 500 }, { retrying: 1 }],
  ] as const)
    for (const isReactivated of [false, true]) {
      await using world = await createDeliveryWorld();
      const { platform } = world;
      const own = await world.application();
      const sender = world.sender();
      world.respond = () => ({ status: 500 });
      for (const text of ['in progress', 'parked']) {
        await world.event(own, text);
        assert.deepEqual(await world.deliver(sender), { retrying: 1 });
        platform.clock.advance({ seconds: 15 });
      }
      world.respond = async () => {
        await disableApplication(platform, own);
        platform.clock.advance({ seconds: 15 });
        assert.deepEqual(await world.deliver(sender), { parked: 1 });
        const hooks = [createWebhookApplicationHook(platform)];
        if (isReactivated) await reactivateApplication(platform, own, hooks);
        return answer;
      };
      assert.deepEqual(await world.deliver(sender), outcome);
      const [{ state, attempts } = {}] = await world.deliveries();
      assert.deepEqual({ [state ?? '']: 1, attempts }, { ...outcome, attempts: 2 });
    }
});

test('parked events that a process left when it died are found', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [back, still] = [await world.application(), await world.application()];
  for (const own of [back, still]) {
    await world.event(own);
    await disableApplication(platform, own);
  }
  const sender = world.sender();
  assert.deepEqual(await world.deliver(sender), { parked: 2 });
  await reactivateApplication(platform, back, []);
  await resumeForgotten(platform);
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
});

test('deleting an application cancels its open events, and nothing else', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [own, other] = [await world.application(), await world.application()];
  const delivered = await world.event(own);
  const sender = world.sender();
  await world.deliver(sender);
  world.respond = () => ({ status: 500 });
  const retrying = await world.event(own);
  await world.deliver(sender);
  const pending = await world.event(own);
  const foreign = await world.event(other);
  await deleteApplication(platform, own, [createWebhookApplicationHook(platform)]);

  assert.deepEqual(await world.deliveries(), [
    { ...CANCELLED, msgId: delivered, state: 'delivered', attempts: 1 },
    { ...CANCELLED, msgId: retrying, attempts: 1 },
    { ...CANCELLED, msgId: pending },
    { msgId: foreign, state: 'pending', attempts: 0, nextAttemptAt: platform.clock.now() },
  ]);
});

test('an event that is recorded as its application is deleted is cancelled at the claim', async () => {
  await using world = await createDeliveryWorld();
  const own = await world.application();
  await deleteApplication(world.platform, own, [createWebhookApplicationHook(world.platform)]);
  const msgId = await world.event(own);
  assert.deepEqual(await world.deliver(world.sender()), { cancelled: 1 });
  assert.deepEqual(world.receiver.requests, []);
  assert.deepEqual(await world.deliveries(), [{ msgId, ...CANCELLED }]);
});

test('an attempt that is in progress while its application is deleted changes nothing afterwards', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  const msgId = await world.event(own);
  world.respond = async () => {
    await deleteApplication(platform, own, [createWebhookApplicationHook(platform)]);
    return { status: 500 };
  };
  assert.deepEqual(await world.deliver(world.sender()), { lost: 1 });
  assert.deepEqual(await world.deliveries(), [{ msgId, ...CANCELLED }]);
});
