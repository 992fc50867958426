import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { ShardScope } from '#platform/partitioning/shards.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import { findUnalerted, takeUnalerted } from './alerts/queries.ts';
import {
  endOpenDeliveries,
  findParkedApplications,
  findSoonest,
  parkDueDeliveries,
  unparkDeliveries,
} from './queries.ts';
import { deleteTask, lockTask, updateTask, upsertTask } from './tasks/queries.ts';
import { insertReplayed, updateReplayed, updateReplayedSince } from './tasks/replay-queries.ts';

const APP_IDS = ['app_1', 'app_2'] as const;
const [APP, OTHER] = APP_IDS;

interface Row {
  state: string;
  next?: number;
  replayed?: number;
  alerted?: number;
}

/** In the queue of each application; they were recorded at the times 1, 2 and so on. */
const ROWS: Row[] = [
  { state: 'pending', next: 10 },
  { state: 'retrying', next: 20 },
  { state: 'pending' },
  { state: 'retrying' },
  { state: 'abandoned' },
  { state: 'unsent' },
  { state: 'cancelled' },
  { state: 'retrying', next: 20, replayed: 30 },
  { state: 'abandoned', replayed: 30, alerted: 30 },
  { state: 'abandoned', replayed: 30, alerted: 29 },
];

async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db, shards } = platform;
  const part = shards.parts[0] ?? [];
  const bucket = part[0]?.bucket ?? 0;
  const idOf = (appId: string, n: number) => `dlv_${appId}_${String(n).padStart(2, '0')}`;
  const rows = APP_IDS.flatMap((appId) =>
    ROWS.map(({ state, next = null, replayed = null, alerted = null }, i) => ({
      ...{ bucket, deliveryId: idOf(appId, i + 1), appId, appBucket: bucketOf(appId), type: 'ping', state },
      ...{
        attempts: 1,
        logged: 1,
        nextAttemptAt: next,
        replayedAt: replayed,
        alertedAt: alerted,
        createdAt: i + 1,
      },
    })),
  );
  const select = () => db<{ deliveryId: string }[]>`select * from event_queue order by delivery_id`;
  return {
    db,
    idOf,
    bucket,
    scope: { shards, part } satisfies ShardScope,
    async refill() {
      await db`delete from event_queue`;
      await db`insert into event_queue ${db(rows)}`;
    },
    /** The numbers of the events of the first application that it changes; it must change no others. */
    async changesOf(work: (tx: Tx) => Promise<unknown>) {
      const before = new Map((await select()).map((row) => [row.deliveryId, JSON.stringify(row)]));
      await db.begin(work);
      const changed = (await select()).filter((row) => before.get(row.deliveryId) !== JSON.stringify(row));
      const prefix = idOf(APP, 0).slice(0, -2);
      return changed.map(({ deliveryId }) => {
        assert.ok(deliveryId.startsWith(prefix), deliveryId);
        return Number(deliveryId.slice(prefix.length));
      });
    },
  };
}

test('work on the queue of an application changes its own events, except locked ones', async (t) => {
  const { db, idOf, bucket, scope, refill, changesOf } = await scene(t);
  const of = { appId: APP, limit: 99, ...scope };
  const replay = { ...of, since: 3, at: 19, notSince: 30 };
  const works: [work: (tx: Tx) => Promise<unknown>, changes: number[]][] = [
    [(tx) => unparkDeliveries(tx, { ...of, at: 99 }), [3, 4]],
    [(tx) => parkDueDeliveries(tx, { ...of, dueBy: 9 }), []],
    [(tx) => parkDueDeliveries(tx, { ...of, dueBy: 10 }), [1]],
    [(tx) => endOpenDeliveries(tx, of, 'cancelled'), [1, 2, 3, 4, 8]],
    [(tx) => takeUnalerted(tx, APP, { ...of, at: 40 }), [5, 10]],
    [(tx) => updateReplayedSince(tx, replay), [4, 5, 8, 9, 10]],
    [(tx) => updateReplayedSince(tx, { ...replay, since: 2 }), [2, 4, 5, 8, 9, 10]],
    [(tx) => updateReplayedSince(tx, { ...replay, at: 20 }), [4, 5, 9, 10]],
    [(tx) => updateReplayedSince(tx, { ...replay, notSince: 29 }), [4, 5]],
  ];
  for (const [i, [work, changes]] of works.entries()) {
    await refill();
    assert.deepEqual(await changesOf(work), changes, `${i}`);
    const [locked, ...rest] = changes;
    if (locked === undefined) continue;
    await refill();
    await db.begin(async (tx) => {
      await tx`select from event_queue where bucket = ${bucket} and delivery_id = ${idOf(APP, locked)} for update`;
      assert.deepEqual(await changesOf(work), rest, `${i}`);
    });
  }
});

test('an event is sent again unless it is due, was delivered, or has just been sent again', async (t) => {
  const { idOf, bucket, refill, changesOf } = await scene(t);
  const again = async (change: { at?: number; notSince?: number }) => {
    await refill();
    const replay = { by: 'webhook' as const, at: 19, notSince: 30, ...change };
    const changed: number[] = [];
    for (const n of ROWS.keys()) {
      const key = { bucket, deliveryId: idOf(APP, n + 1) };
      changed.push(...(await changesOf((tx) => updateReplayed(tx, key, replay))));
    }
    return changed;
  };
  assert.deepEqual(await again({}), [2, 4, 5, 6, 8, 9, 10]);
  assert.deepEqual(await again({ at: 20 }), [4, 5, 6, 9, 10]);
  assert.deepEqual(await again({ notSince: 29 }), [2, 4, 5, 6]);
  const event = {
    bucket,
    deliveryId: idOf(APP, 1),
    appId: APP,
    type: 'ping' as const,
    createdAt: 1,
    logged: 0,
  };
  const replay = { by: 'webhook' as const, at: 19, notSince: 30 };
  assert.deepEqual(await changesOf((tx) => insertReplayed(tx, [event], replay)), []);
});

test('applications are found by parked events, and by abandoned ones that nobody was told of', async (t) => {
  const { db, scope, refill } = await scene(t);
  const found = async () => [
    (await findParkedApplications(db, scope)).sort(),
    (await findUnalerted(db, scope)).sort(),
  ];
  await refill();
  assert.deepEqual(await found(), [
    [APP, OTHER],
    [APP, OTHER],
  ]);
  await db`delete from event_queue where app_id = ${APP} and state in ('pending', 'retrying') and next_attempt_at is null`;
  await db`delete from event_queue where app_id = ${OTHER} and state = 'abandoned' and alerted_at is null`;
  assert.deepEqual(await found(), [[OTHER], [APP, OTHER]]);
  await db`update event_queue set alerted_at = 30 where app_id = ${OTHER}`;
  assert.deepEqual(await found(), [[OTHER], [APP]]);
  await db`delete from event_queue where state in ('pending', 'retrying')`;
  assert.deepEqual(await found(), [[], [APP]]);
  await db`delete from event_queue where state = 'abandoned'`;
  assert.deepEqual(await found(), [[], []]);
});

test('the first event is that of an application that is not left out, and open', async (t) => {
  const { db, scope, refill } = await scene(t);
  await refill();
  await db`update event_queue set next_attempt_at = next_attempt_at + 5 where app_id = ${OTHER}`;
  const soonest = (...without: string[]) => findSoonest(db, scope, without);
  assert.deepEqual([await soonest(), await soonest(APP), await soonest(OTHER)], [[10], [15], [10]]);
  assert.deepEqual(await soonest(APP, OTHER), []);
  await db`update event_queue set state = 'cancelled' where state = 'pending' and next_attempt_at is not null`;
  assert.deepEqual([await soonest(), await soonest(APP)], [[20], [25]]);
  await db`delete from event_queue where app_id = ${APP}`;
  assert.deepEqual(await soonest(), [25]);
  await db`update event_queue set next_attempt_at = null`;
  assert.deepEqual(await soonest(), []);
});

test('a task is that of one application and kind, and of the worker that has locked it', async (t) => {
  const { db } = await scene(t);
  const keys = APP_IDS.flatMap((appId) =>
    (['follow-state', 'replay'] as const).map((kind) => ({ appId, kind })),
  );
  const [key] = keys as [(typeof keys)[number]];
  for (const appId of APP_IDS)
    await db`
      insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at)
      values (${appId}, 'ada', 'A', 'active', 1, 1)`;
  for (const one of keys) await db.write((tx) => upsertTask(tx, { ...one, requestedAt: 1, since: 5 }));
  const shown = async () => {
    const rows = await db.begin((tx) => Promise.all(keys.map((one) => lockTask(tx, one))));
    return rows.map((task) => task && [task.since, task.afterId]);
  };
  const others = keys.slice(1).map(() => [5, null]);
  await db.write((tx) => updateTask(tx, { ...key, requestedAt: 1, since: 6, afterId: 'dlv_9' }));
  assert.deepEqual(await shown(), [[6, 'dlv_9'], ...others]);
  await db.begin(async (tx) => {
    assert.ok(await lockTask(tx, key));
    assert.deepEqual(await shown(), [undefined, ...others]);
  });
  await db.write((tx) => deleteTask(tx, key));
  assert.deepEqual(await shown(), [undefined, ...others]);
});
