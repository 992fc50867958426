import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { bucketOf } from '#platform/ids.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import {
  deleteWorker,
  findUnfinished,
  findWorkers,
  queueHeld,
  upsertWorker,
} from './delivery/held-queries.ts';
import { findAtPositions, findDeadLetters, upsertGivenUp } from './feed/queries.ts';
import { findLatest, findLatestOfMessage, findOfMessages, findQueued } from './log/queries.ts';
import { type Claim, findDue } from './queries.ts';

const APP_IDS = ['app_1', 'app_2'] as const;
const [APP, OTHER] = APP_IDS;

interface Row {
  appId?: string;
  /** In the feed. */
  position?: number;
  /** In the queue. */
  state?: string;
  next?: number;
  workerId?: number;
  isAttempted?: boolean;
}

/** Events of one bucket and two applications; the ids of the events and of their messages are numbers, from 1. */
async function scene(t: TestContext, ...rows: Row[]) {
  const platform = await createTestPlatformFor(t);
  const { db, shards } = platform;
  const part = shards.parts[0] ?? [];
  const bucket = part[0]?.bucket ?? 0;
  for (const appId of APP_IDS)
    await db`
      insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at)
      values (${appId}, 'ada', 'A', 'active', 1, 1)`;
  const events = rows.map(({ appId = APP, workerId = null }, i) => ({
    ...{ bucket, deliveryId: `dlv_${i + 1}`, appId, type: 'ping' as const, msgId: `msg_${i + 1}` },
    ...{ body: Buffer.of(1), bodyKeyId: 1, createdAt: 1, workerId },
  }));
  for (const [i, { position = null, state, next = null, isAttempted }] of rows.entries()) {
    const { appId, deliveryId } = events[i] as (typeof events)[number];
    await db`insert into events ${db({ ...events[i], feedPosition: position })}`;
    const key = { bucket, deliveryId, appId, appBucket: bucketOf(appId), type: 'ping', createdAt: 1 };
    if (state)
      await db`insert into event_queue ${db({ ...key, state, nextAttemptAt: next, attempts: 0, logged: 0 })}`;
    if (isAttempted)
      await db`insert into event_attempts (bucket, delivery_id, seq, attempt) values (${bucket}, ${deliveryId}, 1, '{}')`;
  }
  return { db, bucket, events, scope: { shards, part } };
}

const numbersOf = (rows: readonly { deliveryId: string }[]) =>
  rows.map(({ deliveryId }) => Number(deliveryId.slice(4))).sort((one, other) => one - other);

test('due events are those of the next applications, the oldest first, as many as each may get', async (t) => {
  const pending = { state: 'pending', next: 10 };
  const { db, scope } = await scene(
    t,
    pending,
    { state: 'retrying', next: 20 },
    { appId: OTHER, ...pending },
  );
  const turns = APP_IDS.map((appId) => ({ appBucket: bucketOf(appId), appId }));
  const [first, second] = turns.sort((one, other) => one.appBucket - other.appBucket);
  assert.ok(first && second && first.appBucket < second.appBucket);
  const due = async (change: Partial<Claim> = {}) => {
    const claim = {
      after: { appBucket: -1, appId: '' },
      before: 1024,
      now: 20,
      usual: 9,
      offers: new Map(),
      limit: 9,
    };
    const rows = await findDue(db, { ...claim, ...scope, ...change });
    for (const { deliveryId, msgId } of rows) assert.equal(msgId.slice(4), deliveryId.slice(4));
    return numbersOf(rows);
  };
  const numbers = new Map([
    [APP, [1, 2]],
    [OTHER, [3]],
  ]);
  assert.deepEqual([await due(), await due({ now: 10 }), await due({ now: 9 })], [[1, 2, 3], [1, 3], []]);
  assert.deepEqual(await due({ after: first }), numbers.get(second.appId));
  assert.deepEqual(await due({ after: second }), []);
  assert.deepEqual(await due({ before: second.appBucket }), numbers.get(first.appId));
  assert.deepEqual(await due({ before: first.appBucket }), []);
  assert.deepEqual([await due({ usual: 1 }), (await due({ limit: 1 })).length], [[1, 3], 1]);
  const offer = (change: object) => due({ offers: new Map([[APP, { limit: 1, ...change }]]) });
  const read = { nextAttemptAt: 10, deliveryId: 'dlv_1' };
  assert.deepEqual(
    [await offer({}), await offer({ after: read })],
    [
      [1, 3],
      [2, 3],
    ],
  );
});

test('of a worker’s events, those are unfinished that are neither attempted nor in the queue', async (t) => {
  const workerId = 1;
  const held = [
    { workerId },
    { workerId, isAttempted: true },
    { workerId, state: 'pending' },
    { workerId },
    { workerId },
  ];
  const { db, bucket, events, scope } = await scene(t, ...held, { workerId: 2 }, {});
  const unfinished = async (from: number, to: number) => {
    const range = { from: `dlv_${from}`, to: `dlv_${to}` };
    return numbersOf(await findUnfinished(db, { workerId, ...range, ...scope }));
  };
  assert.deepEqual([await unfinished(0, 9), await unfinished(1, 5)], [[1, 4, 5], [4]]);

  const asked = events.filter((_, i) => [0, 1, 3].includes(i));
  const entry = { state: 'pending' as const, attempts: 0, logged: 0, nextAttemptAt: 1 };
  const rows = [
    ...asked.map((event) => ({ ...event, ...entry })),
    { ...events[0], ...entry, deliveryId: 'dlv_8' },
  ];
  await db.begin(async (tx) => {
    const { existing, added } = await queueHeld(tx, rows as Parameters<typeof queueHeld>[1], scope.shards);
    assert.deepEqual(
      [existing.sort(), added.sort()],
      [
        ['dlv_1', 'dlv_2', 'dlv_4'],
        ['dlv_1', 'dlv_4'],
      ],
    );
    const free = await db<{ deliveryId: string }[]>`
      select delivery_id from events where bucket = ${bucket} for update skip locked`;
    assert.deepEqual(numbersOf(free), [3, 5, 6, 7], 'nobody deletes an event that is put into the queue');
  });
  assert.deepEqual(await unfinished(0, 9), [5]);
});

test('a worker is forgotten unless it has been seen since', async (t) => {
  const { db } = await scene(t);
  const seen = (workerId: number, seenAt: number) =>
    db.write((tx) => upsertWorker(tx, { workerId, seenAt, heldSince: 1, renewals: 0 }));
  for (const workerId of [1, 2]) await seen(workerId, 10);
  await seen(1, 20);
  const forget = async (seenAt: number) => {
    await db.write((tx) => deleteWorker(tx, { workerId: 1, seenAt }));
    return (await findWorkers(db)).map(({ workerId }) => workerId).sort();
  };
  assert.deepEqual([await forget(10), await forget(20)], [[1, 2], [2]]);
});

test('what is no webhook’s is given up once, and is a dead letter then', async (t) => {
  const all: Row[] = [
    {},
    { state: 'unsent', workerId: 1, isAttempted: true },
    { state: 'pending' },
    { workerId: 1 },
    { isAttempted: true },
    { appId: OTHER },
    { state: 'abandoned' },
  ];
  const { db, bucket } = await scene(t, ...all.map((row, i) => ({ ...row, position: i + 1 })));
  const at = async (...positions: number[]) => numbersOf(await findAtPositions(db, APP, positions));
  assert.deepEqual([await at(1, 2, 3, 4, 5, 6, 7), await at(2)], [[1, 2], [2]]);
  const giveUp = (n: number) => {
    const event = { bucket, deliveryId: `dlv_${n}`, type: 'ping' as const, createdAt: 1, attempts: 3 };
    return db.write((tx) => upsertGivenUp(tx, APP, event));
  };
  const given = [await giveUp(1), await giveUp(1), await giveUp(2), await giveUp(3)];
  assert.deepEqual(
    given.map((row) => row?.logged),
    [1, undefined, 1, undefined],
  );
  await db`update event_queue set app_id = ${OTHER} where delivery_id = 'dlv_2'`;
  const dead = async (after: string) => numbersOf(await findDeadLetters(db, APP, { after, limit: 9 }));
  assert.deepEqual([await dead(''), await dead('dlv_1')], [[1, 7], [7]]);
});

test('the log finds the events of messages, of one application', async (t) => {
  const state = 'unsent';
  const { db, bucket, events } = await scene(t, { position: 1, state }, { state }, { appId: OTHER });
  const ofMessages = async (...msgIds: string[]) =>
    numbersOf(await findOfMessages(db, { appId: APP, bucket, msgIds }));
  assert.deepEqual([await ofMessages('msg_1', 'msg_3'), await ofMessages('msg_2')], [[1], [2]]);
  assert.deepEqual(numbersOf(await findQueued(db, events.slice(1))), [2]);
  const latest = await findLatest(db, APP, { limit: 9 });
  assert.deepEqual(
    latest.map(({ deliveryId }) => deliveryId),
    ['dlv_2', 'dlv_1'],
  );
  const latestOf = async (msgId: string, among: number) =>
    (await findLatestOfMessage(db, { appId: APP, msgId, among }))?.deliveryId;
  assert.deepEqual(
    [await latestOf('msg_1', 2), await latestOf('msg_1', 1), await latestOf('msg_2', 1)],
    ['dlv_1', undefined, 'dlv_2'],
  );
});
