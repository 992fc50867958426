import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startRedis, startRedisCluster } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { Keyring } from '../crypto/keyring.ts';
import { CHANGED_ELSEWHERE, Live, type LiveEvent, MISSED } from '../live.ts';
import { createLog } from '../log.ts';
import { systemRandom } from '../random.ts';
import { connectRedis } from '../redis.ts';
import { createLiveRelay } from './relay.ts';
import { carrySignal, Signal } from './signal.ts';

const log = createLog('silent');
const keyring = new Keyring(new Map([[1, systemRandom.bytes(32)]]), systemRandom);

async function connect(urls: readonly string[], into: AsyncDisposableStack, keys = keyring) {
  const redis = into.use(await connectRedis({ urls, log }));
  return { redis, live: new Live(createLiveRelay(redis, { keyring: keys, random: systemRandom })) };
}

/** Two processes on one Redis. */
async function connectTwo(keysOfFirst = keyring) {
  await using opening = new AsyncDisposableStack();
  const server = opening.use(await startRedis());
  const one = await connect([server.url], opening, keysOfFirst);
  const two = await connect([server.url], opening);
  const opened = opening.move();
  return { server, one, two, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** An event with a number. */
function eventOf(n: number | string): LiveEvent {
  return { type: 'group.left', data: { groupId: String(n) } };
}

/** Collects events, and waits for a number of them. */
function listenTo(live: Live, topic: string) {
  const received: LiveEvent[] = [];
  const unsubscribe = live.subscribe(topic, (event) => received.push(event));
  const isEvent = (event: LiveEvent) => event.type !== 'missed' && event.type !== 'changed-elsewhere';
  return {
    received,
    unsubscribe,
    async until(count: number) {
      await eventually(() => received.length >= count);
      return received;
    },
    /** Ignores gaps: the nodes of a new cluster still negotiate their slots, and each change may lose events. */
    async untilEvents(count: number) {
      await eventually(() => received.filter(isEvent).length >= count);
      return received.filter(isEvent);
    },
  };
}

async function tellEverybody(urls: readonly string[]): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const [here, there, elsewhere] = await Promise.all([
    connect(urls, opened),
    connect(urls, opened),
    connect(urls, opened),
  ]);
  const topics = Array.from({ length: 20 }, (_, i) => `topic ${i}`);
  const ears = topics.flatMap((topic) => [listenTo(here.live, topic), listenTo(there.live, topic)]);
  await Promise.all([here.live.settled(), there.live.settled()]);
  for (const topic of topics) {
    for (let n = 0; n < 10; n++) here.live.publish(topic, eventOf(n));
  }
  const expected = Array.from({ length: 10 }, (_, n) => eventOf(n));
  for (const ear of ears) assert.deepEqual(await ear.untilEvents(10), expected, 'each once, in order');
  let made = 0;
  elsewhere.live.publish('nobody listens', () => eventOf(made++));
  elsewhere.live.publish('topic 0', () => eventOf(`made ${++made}`));
  assert.deepEqual((await (ears[0] as (typeof ears)[0]).untilEvents(11)).at(-1), eventOf('made 1'));
  for (const ear of ears) ear.unsubscribe();
}

test('events outside the contract do not compile', () => {
  const live = new Live();
  const received: LiveEvent[] = [];
  live.subscribe('topic', (event) => received.push(event));
  // @ts-expect-error: there is no such event
  live.publish('topic', { type: 'group.renamed', data: { groupId: 'grp_a' } });
  // @ts-expect-error: a field is missing
  live.publish('topic', { type: 'group.left', data: {} });
  assert.equal(received.length, 2, 'types alone hold it');
});

test('if an event cannot be created, subscribers learn that something has changed', async () => {
  const live = new Live();
  const ear = listenTo(live, 'topic');
  live.publish('topic', () => Promise.reject(new Error('the database does not answer')));
  assert.deepEqual(await ear.until(1), [CHANGED_ELSEWHERE]);
});

test('an event published in one process reaches the listeners of every process once and in order', async () => {
  await using server = await startRedis();
  await tellEverybody([server.url]);
});

test('the same on a Redis Cluster', async () => {
  await using cluster = await startRedisCluster();
  await tellEverybody(cluster.urls);
});

test('listeners that may have missed events while Redis was down get an event that says so', async () => {
  await using both = await connectTwo();
  const { server, one, two } = both;
  const ear = listenTo(two.live, 'topic');
  await two.live.settled();
  await server.kill();
  one.live.publish('topic', eventOf('lost'));
  await server.startAgain();
  assert.deepEqual(await ear.until(1), [MISSED]);
  await eventually(() => one.redis.isAnswering);
  one.live.publish('topic', eventOf('heard'));
  assert.deepEqual(await ear.untilEvents(1), [eventOf('heard')]);
});

test('listeners elsewhere learn that events could not be published, though they were connected', async () => {
  await using both = await connectTwo();
  const { server, one, two } = both;
  const [ear, other] = [listenTo(two.live, 'topic'), listenTo(two.live, 'other topic')];
  await two.live.settled();
  const lose = async (topics: string[]) => {
    server.freeze();
    for (const topic of topics) one.live.publish(topic, eventOf('lost'));
    await eventually(() => !one.redis.isAnswering);
    one.live.publish('topic', eventOf('lost, too'));
    server.thaw();
    await eventually(() => one.redis.isAnswering);
  };
  await lose(['topic']);
  assert.deepEqual(await ear.until(1), [CHANGED_ELSEWHERE]);
  assert.equal(other.received.length, 0);
  await lose(Array.from({ length: 2_000 }, (_, i) => `topic ${i}`));
  assert.deepEqual(await other.until(1), [MISSED], 'of too many, all are missed');
});

test('listeners elsewhere miss nothing while those of the same process are not connected', async () => {
  await using both = await connectTwo();
  const { one, two } = both;
  const [own, ear] = [listenTo(one.live, 'topic'), listenTo(two.live, 'topic')];
  await Promise.all([one.live.settled(), two.live.settled()]);
  const subscriber = Reflect.get(one.redis, 'subscriber');
  const lost = once(subscriber, 'close');
  subscriber.disconnect(true);
  await lost;
  one.live.publish('topic', eventOf('during'));
  assert.deepEqual(await ear.until(1), [eventOf('during')]);
  assert.deepEqual(await own.until(2), [eventOf('during'), MISSED]);
  one.live.publish('topic', eventOf('after'));
  assert.deepEqual(await ear.until(2), [eventOf('during'), eventOf('after')]);
});

test('of an event sealed with a key that this process does not have yet, it learns that something has changed', async () => {
  await using both = await connectTwo(new Keyring(new Map([[2, systemRandom.bytes(32)]]), systemRandom));
  const { one, two } = both;
  const ear = listenTo(two.live, 'topic');
  await two.live.settled();
  one.live.publish('topic', eventOf(1));
  assert.deepEqual(await ear.until(1), [CHANGED_ELSEWHERE]);
});

test('a signal reaches the processes that act on it, and is not sent back', async () => {
  await using both = await connectTwo();
  const { one: raising, two: acting } = both;
  const [here, there] = [new Signal(), new Signal()];
  carrySignal(raising.redis, { name: 'work', signal: here, isHere: false, random: systemRandom });
  carrySignal(acting.redis, { name: 'work', signal: there, isHere: true, random: systemRandom });
  const raised = { here: 0, there: 0 };
  here.subscribe(() => raised.here++);
  there.subscribe(() => raised.there++);
  const last = { here: new Signal(), there: new Signal(), raised: 0 };
  carrySignal(raising.redis, { name: 'last', signal: last.here, isHere: false, random: systemRandom });
  carrySignal(acting.redis, { name: 'last', signal: last.there, isHere: true, random: systemRandom });
  last.there.subscribe(() => last.raised++);
  // The channels are subscribed in order: when the second carries, the first does.
  const arrivesLast = () =>
    eventually(() => {
      last.here.raise();
      return last.raised;
    });
  await arrivesLast();
  for (let i = 0; i < 100; i++) here.raise();
  await eventually(() => raised.there);
  last.raised = 0;
  await arrivesLast();
  assert.equal(raised.here, 100);
  assert.ok(raised.there >= 1 && raised.there < 100, `raised ${raised.there} times: those at once are one`);
});

test('a signal reaches the other processes that act on it, too', async () => {
  await using both = await connectTwo();
  const actsOn = ({ redis }: (typeof both)['one']) => {
    const process = { signal: new Signal(), raised: 0 };
    carrySignal(redis, { name: 'work', signal: process.signal, isHere: true, random: systemRandom });
    process.signal.subscribe(() => process.raised++);
    return process;
  };
  const [one, two] = [actsOn(both.one), actsOn(both.two)];
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    to.raised = 0;
    await eventually(() => {
      from.signal.raise();
      return to.raised;
    });
  }
});
