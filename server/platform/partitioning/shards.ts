import type { Db } from '../database.ts';
import { eachByItself } from '../each-by-itself.ts';

/** How the rows lie: on one PostgreSQL all in one place, on Citus in shards on several nodes. */
export interface Shards {
  readonly isDistributed: boolean;
  /** Nodes with rows; 0 where nothing is distributed. */
  readonly workers: number;
  /**
   * A name for the shard that has the rows of a bucket, the same for all where there are no shards. What is done in one
   * statement stays in one shard, so that a node that is away costs what lies on it and nothing else.
   */
  of(bucket: number): string;
  /** The node that has it, `host:port`; empty where nothing is distributed. */
  nodeOf(bucket: number): string;
  /** The buckets of each shard; one part with none where there are no shards. */
  readonly parts: readonly ShardPart[];
}

/** The buckets that a statement is about; on one PostgreSQL it is about all, and names none. */
export type ShardPart = readonly { bucket: number }[];

/** The shard that a statement is about. */
export interface ShardScope {
  shards: Pick<Shards, 'isDistributed'>;
  part: ShardPart;
}

export const UNSHARDED: Shards = {
  isDistributed: false,
  workers: 0,
  of: () => '',
  nodeOf: () => '',
  parts: [[]],
};

/**
 * The lane of a batch for rows that lie by another key than the bucket. On Citus each key has its own: in which shard it
 * lies, only the database knows.
 */
export function batchKeyOf({ isDistributed }: Pick<Shards, 'isDistributed'>, key: string): string {
  return isDistributed ? key : '';
}

/** A read for rows of many buckets: on Citus a statement for each shard, all at once, else one for all. */
export async function readByShard<Asked extends { bucket: number }, R>(
  shards: Shards,
  asked: readonly Asked[],
  read: (ofShard: readonly Asked[]) => Promise<R[]>,
): Promise<R[]> {
  if (!shards.isDistributed) return read(asked);
  const groups = Map.groupBy(asked, ({ bucket }) => shards.of(bucket));
  return (await Promise.all(Array.from(groups.values(), read))).flat();
}

/**
 * A condition for the tables of a statement for rows of one shard: Citus finds the shard by constants alone. Nothing on
 * one PostgreSQL, where it would be a wider search.
 *
 * @param table named where the statement has several
 */
export function withinShard(
  db: Db,
  { isDistributed }: Pick<Shards, 'isDistributed'>,
  asked: ShardPart,
  table?: string,
) {
  if (!isDistributed) return db``;
  const buckets = [...new Set(asked.map(({ bucket }) => bucket))];
  return table === undefined
    ? db`and bucket = any(${buckets})`
    : db`and ${db(table)}.bucket = any(${buckets})`;
}

/**
 * A read of every shard by itself, all at once: a node that is away costs what lies there, and nothing else.
 *
 * @throws when no shard could be read
 */
export async function readEachShard<R>(
  { parts }: Pick<Shards, 'parts'>,
  read: (part: ShardPart) => Promise<R[]>,
  onFailure: (error: unknown) => void,
): Promise<R[]> {
  const reads = await Promise.allSettled(parts.map(read));
  const failures = reads.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length === parts.length) throw failures[0];
  for (const failure of failures) onFailure(failure);
  return reads.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/**
 * Work on rows of any bucket that locks them, in one transaction, shard after shard: Citus locks rows of one shard at a time.
 * The statement has {@link withinShard} for each of its tables.
 */
export async function shardAfterShard<R>(
  { parts }: Pick<Shards, 'parts'>,
  work: (part: ShardPart) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (const part of parts) done.push(await work(part));
  return done;
}

/**
 * The same in a transaction for each shard: one whose node is away waits for it, and the others do not.
 *
 * @throws AggregateError once the others are done
 */
export async function eachShardByItself(
  { parts }: Pick<Shards, 'parts'>,
  work: (part: ShardPart) => Promise<unknown>,
): Promise<void> {
  await eachByItself(parts, work, 'not every shard could be worked on');
}

/** The same for work on so many rows at most, in all shards together, in one transaction. Returns on how many it was. */
export async function sliceAfterSlice(
  { parts }: Pick<Shards, 'parts'>,
  limit: number,
  work: (part: ShardPart, limit: number) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (const part of parts) if (count < limit) count += await work(part, limit - count);
  return count;
}
