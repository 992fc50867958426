import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batcher } from '../batch.ts';
import { ApiError } from '../errors.ts';
import { bucketOf } from '../ids.ts';
import {
  eachShardByItself,
  readByShard,
  readEachShard,
  requireInReach,
  type ShardPart,
  submitById,
  UNSHARDED,
} from './shards.ts';

const parts: ShardPart[] = [[{ bucket: 0 }], [{ bucket: 1 }], [{ bucket: 2 }]];
const shards = { parts, isAway: () => false };

/** Reads the buckets of a part, as if some of them were on an unreachable node. */
function read(away: number[]) {
  return async (part: ShardPart) => {
    const buckets = part.map(({ bucket }) => bucket);
    if (buckets.some((bucket) => away.includes(bucket))) throw new Error(`${buckets} away`);
    return buckets;
  };
}

test('a shard that cannot be read is left out and reported', async () => {
  const failures: string[] = [];
  const found = await readEachShard(shards, read([1]), (error) => failures.push(String(error)));
  assert.deepEqual(found, [0, 2]);
  assert.deepEqual(failures, ['Error: 1 away']);
});

test('when no shard can be read, the read fails', async () => {
  const failures: unknown[] = [];
  await assert.rejects(
    readEachShard(shards, read([0, 1, 2]), (error) => failures.push(error)),
    /0 away/,
  );
  assert.deepEqual(failures, []);
});

test('work on every shard continues after one fails, and the failure is reported at the end', async () => {
  const done: number[] = [];
  const work = async (part: ShardPart) => void done.push(...(await read([1])(part)));
  await assert.rejects(eachShardByItself(shards, work), ({ errors }: AggregateError) => {
    assert.deepEqual(errors.map(String), ['Error: 1 away']);
    return true;
  });
  assert.deepEqual(done, [0, 2]);
});

test('a shard whose node is known not to answer is not asked', async () => {
  const withoutOne = { parts, isAway: ([first]: ShardPart) => first?.bucket === 1 };
  const failures: unknown[] = [];
  const found = await readEachShard(withoutOne, read([]), (error) => failures.push(error));
  assert.deepEqual(
    [found, failures.map(String)],
    [[0, 2], ['ApiError: the service is busy or its database is unavailable; try again']],
  );
  const done: number[] = [];
  const work = async (part: ShardPart) => void done.push(...(await read([])(part)));
  await assert.rejects(eachShardByItself(withoutOne, work), AggregateError);
  assert.deepEqual(done, [0, 2]);
});

test('nothing is sent for rows on a node that is known not to answer, and everything for others', async () => {
  const [near, far] = ['usr_near', 'usr_far'];
  const shared = {
    ...UNSHARDED,
    isDistributed: true,
    of: String,
    isAway: ([first]: ShardPart) => first?.bucket === bucketOf('grp_far'),
    isAnyAway: async (_table: string, ids: readonly string[]) => ids.includes(far),
  };
  const asked: unknown[] = [];
  const batcher = new Batcher<string, string>(async (items) => {
    asked.push(...items);
    return items;
  });
  const submit = (id: string) => submitById(shared, batcher, id, { table: 'accounts', id });
  assert.equal(await submit(near), near);
  await assert.rejects(submit(far), ApiError);

  await requireInReach(shared, { accountIds: [near], conversationId: 'grp_near' });
  await assert.rejects(requireInReach(shared, { accountIds: [near, far] }), ApiError);
  await assert.rejects(requireInReach(shared, { conversationId: 'grp_far' }), ApiError);

  const read = async (part: ShardPart) => {
    asked.push(...part.map(({ bucket }) => bucket));
    return [...part];
  };
  const [here, there] = [{ bucket: bucketOf('grp_near') }, { bucket: bucketOf('grp_far') }];
  assert.deepEqual(await readByShard(shared, [here], read), [here]);
  await assert.rejects(readByShard(shared, [here, there], read), ApiError);
  assert.deepEqual(asked, [near, bucketOf('grp_near')]);
});
