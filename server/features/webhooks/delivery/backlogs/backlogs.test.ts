import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { eventually } from '#testing/waits.ts';
import type { Offer } from '../../queries.ts';
import { deliverDue } from '../deliver-due.ts';
import { QUEUE_LIMITS } from '../endpoint-queues.ts';
import { createSender } from '../sender.ts';

/** An application with two slots, and a receiver that answers each post on command. */
async function createScene(events: number) {
  const world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const answers: (() => void)[] = [];
  world.respond = async () => {
    await new Promise<void>((answer) => answers.push(answer));
    return {};
  };
  const application = await world.application();
  const msgIds: string[] = [];
  for (let i = 0; i < events; i++) {
    msgIds.push(await world.event(application));
    platform.clock.advance({ milliseconds: 1 });
  }
  const limits = {
    ...QUEUE_LIMITS,
    perApplication: 2,
    initial: 2,
    unprovenPerPace: Number.POSITIVE_INFINITY,
  };
  const sender = createSender(platform, { queues: limits });
  return {
    world,
    application,
    msgIds,
    offer(): Offer {
      const { usual, offers } = sender.backlogs.offers();
      return offers.get(application.appId) ?? { limit: usual };
    },
    /** Returns the posts so far. */
    async step(expected: number): Promise<unknown[]> {
      await deliverDue(sender, { limit: 100 });
      await receiver.waitFor(expected);
      return receiver.requests.map(({ headers }) => headers['webhook-id']);
    },
    async answer(): Promise<void> {
      const running = sender.underWay.size;
      answers.shift()?.();
      await eventually(() => sender.underWay.size !== running);
    },
    async [Symbol.asyncDispose]() {
      for (const answer of answers) answer();
      await eventually(() => sender.underWay.size === 0);
      sender[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('reading a backlog continues after the events in progress, each event once', async () => {
  await using scene = await createScene(4);
  const { msgIds } = scene;
  assert.deepEqual((await scene.step(2)).sort(), msgIds.slice(0, 2).sort());
  for (const sent of [3, 4]) {
    await scene.answer();
    const { limit, after } = scene.offer();
    assert.equal(limit, 1);
    assert.ok(after, 'not from the beginning');
    assert.deepEqual((await scene.step(sent)).at(-1), msgIds[sent - 1]);
  }
});

test('an event that becomes visible after younger ones is found when the backlog ends, or a second later', async () => {
  await using scene = await createScene(4);
  const { world, application } = scene;
  const late = { ...world.outgoing(application), at: world.platform.clock.now() - 1_000 };
  await scene.step(2);
  await world.platform.db.begin((tx) => world.platform.webhooks.record(tx, [late]));
  await scene.answer();
  assert.notEqual((await scene.step(3)).at(-1), late.msgId);
  world.platform.clock.advance({ seconds: 1 });
  await scene.answer();
  assert.equal(scene.offer().limit, 2, 'what is under way is read once more, and one besides');
  assert.equal((await scene.step(4)).at(-1), late.msgId);
});

test('once a read finds fewer events than the offer allows, reads begin at the oldest again', async () => {
  await using scene = await createScene(2);
  await scene.step(2);
  await scene.answer();
  assert.ok(scene.offer().after);
  await scene.step(2);
  assert.deepEqual([scene.offer().limit, scene.offer().after], [2, undefined]);
});
