import { setTimeout as pause } from 'node:timers/promises';
import { createAuthority } from '#testing/certificates.ts';
import type { TestApplication } from '#testing/delivery-world.ts';
import { startReceiver } from '#testing/receiver.ts';
import { startParley } from '../processes.ts';
import { createScratch } from '../scratch.ts';
import { seed } from './options.ts';
import { nth, planOf } from './plans.ts';
import { Heard } from './population.ts';
import { createScene } from './webhook-scene.ts';

const WORKERS = 4;
const EVENTS = 10_000;
const APPLICATIONS = 20;
const EVENTS_PER_BATCH = 100;
const RECORD_EVERY_MS = 200;
/** Time to take over the work of a dead worker, plus 30 s of waiting after the receiver's one failure, plus a margin. */
const STANDSTILL_MS = 60_000;

const plan = planOf('webhooks', seed);
const heard = new Heard();
/** Events that were refused once. None is refused again: after a second failure it would wait longer than this run. */
const refused = new Set<string>();

await using scratch = await createScratch();
const authority = createAuthority();
await using scene = await createScene(scratch, authority);
await using receiver = await startReceiver({
  host: '127.0.0.1',
  authority,
  async respond({ rawBody }, number) {
    const { msgId } = JSON.parse(rawBody.toString()).data;
    const { afterMs, isRefusal } = nth(plan.answers, number);
    await pause(afterMs);
    if (isRefusal && !heard.has(msgId) && !refused.has(msgId)) {
      refused.add(msgId);
      return { status: 503 };
    }
    heard.take(rawBody);
    return { status: 204 };
  },
});

const applications: TestApplication[] = [];
for (let i = 0; i < APPLICATIONS; i++) applications.push(await scene.world.application(receiver.url));
const workers = await Promise.all(Array.from({ length: WORKERS }, () => startParley(scene.environment)));
const stop = new AbortController();
const killing = killByPlan(stop.signal);
const msgIds = await recordAll();
let kills = 0;
try {
  await expectAll(msgIds);
} finally {
  stop.abort();
  kills = await killing;
}
for (const worker of workers) await worker[Symbol.asyncDispose]();
console.log(
  `${EVENTS} events, ${WORKERS} workers, ${kills} kills, ${refused.size} refusals: all delivered, none abandoned; ${heard.repeats} were repeated, byte for byte the same.`,
);

async function recordAll(): Promise<string[]> {
  const msgIds: string[] = [];
  while (msgIds.length < EVENTS) {
    const receivers = Array.from({ length: EVENTS_PER_BATCH }, (_, i) => nth(applications, i));
    msgIds.push(...(await scene.record(receivers)));
    await pause(RECORD_EVERY_MS);
  }
  return msgIds;
}

async function killByPlan(signal: AbortSignal): Promise<number> {
  let kills = 0;
  while (!signal.aborted) {
    const { afterMs, victim } = nth(plan.kills, kills);
    await pause(afterMs);
    await workers[victim]?.kill();
    kills++;
    workers[victim] = await startParley(scene.environment);
  }
  return kills;
}

/** Waits until all events are delivered, as long as there is progress: a busy machine may need a long time. */
async function expectAll(msgIds: string[]): Promise<void> {
  const count = async () => {
    const rows = await scene.db<{ state: string; count: number }[]>`
      select coalesce(state, 'delivered') as state, count(*)::integer as count
      from events left join event_queue using (bucket, delivery_id) group by 1 order by 1`;
    return rows.map((row) => `${row.count} ${row.state}`).join(', ');
  };
  let [counted, since] = ['', Date.now()];
  while (counted !== `${EVENTS} delivered`) {
    const now = await count();
    if (now !== counted) [counted, since] = [now, Date.now()];
    else if (Date.now() - since > STANDSTILL_MS)
      throw new Error(`${counted} for ${STANDSTILL_MS / 1000} s\n${await describeLeft()}`);
    await pause(500);
  }
  const unheard = msgIds.filter((msgId) => !heard.has(msgId));
  if (unheard.length > 0)
    throw new Error(`${unheard.length} events were never received, such as ${unheard[0]}`);
  heard.expectSameBytes();
}

/** Why some events are not delivered. */
async function describeLeft(): Promise<string> {
  const rows = await scene.db<{ attempts: number; dueInMs: number; made: object[] }[]>`
    select queue.attempts, queue.next_attempt_at - ${Date.now()}::bigint as due_in_ms,
      array_agg(log.attempt order by log.seq) as made
    from event_queue queue left join event_attempts log using (bucket, delivery_id)
    group by queue.bucket, queue.delivery_id, queue.attempts, queue.next_attempt_at limit 20`;
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
