import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { recordEvents } from '#features/webhooks/record-events.ts';
import { replayEvent } from '#features/webhooks/tasks/replay.ts';
import { DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { TestClock } from '#testing/platform.ts';
import { composeFeatures } from '../../server/app.ts';
import { startAlertWorker, startDeliveryWorker } from '../../server/workers.ts';
import { createScratch } from '../scratch.ts';
import { seed } from './options.ts';
import { planOf } from './plans.ts';

const EVENTS = 100_000;
const EVENTS_PER_BATCH = 1_000;
/** For each live bot. */
const EVENT_EVERY_MS = 1_000;
/** How long the live bots are measured on their own, for comparison. */
const ALONE_MS = 30_000;
const MEDIAN_MS = 50;
const ABANDONED_WITHIN_MINUTES = 75;

/** A clock that runs normally, and can also be advanced. */
class MovedClock extends TestClock {
  readonly #startedAt = performance.now();

  override now(): number {
    return super.now() + Math.floor(performance.now() - this.#startedAt);
  }
}

/**
 * 100,000 events for a receiver that never responds, beside 30 bots whose receivers do: these bots get their events at once.
 * Each of the 100,000 has its 8 attempts and is abandoned, its owner is alerted in time, and it can be replayed.
 */
await using scratch = await createScratch({ connections: 8 });
const clock = new MovedClock();
const database = { url: scratch.databaseUrl, [Symbol.asyncDispose]: async () => {} };
await using world = await DeliveryWorld.create({}, { database, clock });
const { platform } = world;
const { db } = platform;

const receivedAt = new Map<string, number>();
let isSwallowing = true;
const hole = await world.startReceiver(() => (isSwallowing ? undefined : {}));
const healthy = await world.startReceiver(({ headers }) => {
  receivedAt.set(String(headers['webhook-id']), performance.now());
  return { status: 204 };
});
const dead = await world.application(hole.url);
const live: TestApplication[] = [];
const { startAfterMs } = planOf('black-hole', seed);
for (const i of startAfterMs.keys()) live.push(await world.application(`${healthy.url}/${i}`));

const recordedAt = new Map<string, number>();
const stop = new AbortController();
const features = { ...platform, ...composeFeatures(platform) };
const worker = startDeliveryWorker(features);
const alerts = startAlertWorker(features);
const chatting = Promise.all(live.map((application, i) => chat(application, startAfterMs[i], stop.signal)));
await pause(ALONE_MS);
console.log({ alone: summarize() });
recordedAt.clear();

const firstAt = clock.now();
for (let i = 0; i < EVENTS; i += EVENTS_PER_BATCH) {
  const events = Array.from({ length: EVENTS_PER_BATCH }, () => world.outgoing(dead));
  await db.begin((tx) => recordEvents(tx, platform, events));
}
console.log(`${EVENTS} events recorded in ${Math.round((clock.now() - firstAt) / 1000)} s`);

await moveOn();
const beside = summarize();
stop.abort();
await chatting;
await expectAbandoned();
await expectAlert();
await replayOne();
await alerts[Symbol.asyncDispose]();
await worker[Symbol.asyncDispose]();
console.log({ beside });
assert.equal(beside.unheard, 0);
assert.ok(beside.medianMs < MEDIAN_MS, `the live median is ${beside.medianMs} ms`);

async function chat(
  application: TestApplication,
  afterMs: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  await pause(afterMs);
  while (!signal.aborted) {
    const event = world.outgoing(application);
    await db.begin((tx) => recordEvents(tx, platform, [event]));
    recordedAt.set(event.msgId, performance.now());
    platform.dueDeliveries.raise();
    await pause(EVENT_EVERY_MS);
  }
}

/** Advances the clock to the next attempt whenever nothing is due (and thus no probe in progress), until no attempt is left. */
async function moveOn(): Promise<void> {
  for (;;) {
    const [row] = await db<{ open: number; next: number | null }[]>`
      select count(*)::integer as open, min(next_attempt_at) as next
      from event_queue where app_id = ${dead.appId} and state in ('pending', 'retrying')`;
    if (!row || row.next === null) return;
    const ahead = row.next - clock.now();
    if (ahead > 2_000) {
      const minutes = Math.round((row.next - firstAt) / 60_000);
      console.log(`minute ${minutes}: ${row.open} open, ${hole.requests.length} posts so far`);
      clock.advance({ milliseconds: ahead - 500 });
    }
    await pause(1_000);
  }
}

async function expectAbandoned(): Promise<void> {
  const [row] = await db<{ abandoned: number; fewest: number; first: number; last: number }[]>`
    select count(*)::integer as abandoned, min(attempts)::integer as fewest,
      min((attempt ->> 'at')::bigint) as first, max((attempt ->> 'at')::bigint) as last
    from event_queue join event_attempts using (bucket, delivery_id)
    where app_id = ${dead.appId} and state = 'abandoned' and seq = logged`;
  assert.ok(row);
  const [first, last] = [row.first, row.last].map((at) => (at - firstAt) / 60_000) as [number, number];
  console.log({ ...row, first: `${first.toFixed(1)} min`, last: `${last.toFixed(1)} min` });
  assert.deepEqual([row.abandoned, row.fewest], [EVENTS, 8]);
  assert.ok(first < ABANDONED_WITHIN_MINUTES, `the first was abandoned after ${first} minutes`);
}

async function expectAlert(): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    const [alert] = await db<{ createdAt: number; firstEventAt: number }[]>`
      select created_at, first_event_at from alerts where app_id = ${dead.appId} order by created_at limit 1`;
    if (alert) {
      const minutes = (alert.createdAt - firstAt) / 60_000;
      console.log(`alert after ${minutes.toFixed(1)} minutes`);
      assert.ok(minutes < ABANDONED_WITHIN_MINUTES);
      return;
    }
    assert.ok(Date.now() < until, 'nobody was alerted');
    await pause(500);
  }
}

async function replayOne(): Promise<void> {
  isSwallowing = false;
  const before = hole.requests.length;
  const [{ deliveryId } = assert.fail()] = await db<{ deliveryId: string }[]>`
    select delivery_id from events where app_id = ${dead.appId} order by delivery_id limit 1`;
  await replayEvent(platform, dead, deliveryId);
  await hole.waitFor(before + 1);
}

/** Latencies of the live bots, from the commit of an event to its arrival; the latest events may still be on their way. */
function summarize(): { events: number; unheard: number; medianMs: number; p95Ms: number; p99Ms: number } {
  const settled = [...recordedAt].filter(([, at]) => performance.now() - at > 10_000);
  const latencies = settled
    .flatMap(([msgId, at]) => {
      const heardAt = receivedAt.get(msgId);
      return heardAt === undefined ? [] : [heardAt - at];
    })
    .sort((one, other) => one - other);
  const at = (part: number) => Math.round(latencies[Math.floor(latencies.length * part)] ?? Number.NaN);
  const unheard = settled.length - latencies.length;
  return { events: settled.length, unheard, medianMs: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
