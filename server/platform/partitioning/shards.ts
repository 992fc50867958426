import type { Batcher } from '../batch.ts';
import { eachByItself } from '../concurrency/each-by-itself.ts';
import type { Db } from '../database.ts';
import { unavailable } from '../errors.ts';
import { bucketOf } from '../ids.ts';

/** The distribution of rows: all together on a single PostgreSQL, or in shards on several Citus nodes. */
export interface Shards {
  readonly isDistributed: boolean;
  /** The number of nodes with rows; 0 if nothing is distributed. */
  readonly workers: number;
  /**
   * The name of the shard with the rows of a bucket; the same for all buckets without shards. Each statement stays within
   * one shard, so that an unreachable node affects only its own rows.
   */
  of(bucket: number): string;
  /** The node of a bucket, `host:port`; empty if nothing is distributed. */
  nodeOf(bucket: number): string;
  /** The buckets of each shard; without shards, one part without buckets. */
  readonly parts: readonly ShardPart[];
  /** The node of the shard does not answer: a statement would hold a connection and fail. */
  isAway(part: ShardPart): boolean;
  /**
   * For tables that are distributed by an id.
   *
   * @returns whether the node of any of these rows does not answer
   */
  isAnyAway(table: KeyedTable, ids: readonly string[]): Promise<boolean>;
}

/** The first table of each group that is distributed by an id. */
export type KeyedTable = 'accounts' | 'applications' | 'grants';

/** The buckets of a statement; empty on a single PostgreSQL, where it covers all. */
export type ShardPart = readonly { bucket: number }[];

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
  isAway: () => false,
  isAnyAway: async () => false,
};

/** The longest time until a step that found nothing is repeated, where each costs a statement for every shard. */
const REST_MS = 10_000;

/** How long a step that found nothing rests, if it is told of what needs it soon; undefined for its usual interval. */
export function restMs({ isDistributed }: Pick<Shards, 'isDistributed'>): number | undefined {
  return isDistributed ? REST_MS : undefined;
}

/**
 * Submits what concerns the row of this table with this id: on Citus in a batch of its own.
 *
 * @throws ApiError 503 if its node does not answer
 */
export async function submitById<In, Out>(
  shards: Pick<Shards, 'isDistributed' | 'isAnyAway'>,
  batcher: Batcher<In, Out>,
  item: In,
  { table, id }: { table: KeyedTable; id: string },
): Promise<Out> {
  if (shards.isDistributed && (await shards.isAnyAway(table, [id]))) throw unavailable();
  return batcher.submit(item, batchKeyOf(shards, id));
}

/** @throws ApiError 503 if the rows of an account or a conversation are on a node that does not answer: they would be waited for */
export async function requireInReach(
  shards: Pick<Shards, 'isDistributed' | 'isAway' | 'isAnyAway'>,
  {
    accountIds = [],
    conversationId,
  }: { accountIds?: readonly string[]; conversationId?: string | undefined },
): Promise<void> {
  if (!shards.isDistributed) return;
  if (conversationId !== undefined && shards.isAway([{ bucket: bucketOf(conversationId) }]))
    throw unavailable();
  if (await shards.isAnyAway('accounts', accountIds)) throw unavailable();
}

/**
 * Those of the ids whose rows can be reached, as far as that can be found out: work in the background leaves out the others until
 * their node is back.
 */
export async function idsInReach(
  shards: Pick<Shards, 'isDistributed' | 'isAnyAway'>,
  table: KeyedTable,
  ids: readonly string[],
): Promise<string[]> {
  if (!shards.isDistributed) return [...ids];
  const areAway = await Promise.all(ids.map((id) => shards.isAnyAway(table, [id]).catch(() => true)));
  return ids.filter((_, i) => !areAway[i]);
}

/**
 * The batch key for rows that are distributed by another key than the bucket. On Citus each key has its own batch, since
 * only the database knows its shard.
 */
export function batchKeyOf({ isDistributed }: Pick<Shards, 'isDistributed'>, key: string): string {
  return isDistributed ? key : '';
}

/** Reads rows of many buckets: on Citus one statement for each shard, in parallel, otherwise one for all. */
export async function readByShard<Asked extends { bucket: number }, R>(
  shards: Shards,
  asked: readonly Asked[],
  read: (ofShard: readonly Asked[]) => Promise<R[]>,
): Promise<R[]> {
  if (!shards.isDistributed) return read(asked);
  const groups = [...Map.groupBy(asked, ({ bucket }) => shards.of(bucket)).values()];
  if (groups.some((group) => shards.isAway(group))) throw unavailable();
  return (await Promise.all(groups.map(read))).flat();
}

/**
 * A condition that restricts the tables of a statement to one shard, which Citus infers only from constants. Empty on a
 * single PostgreSQL, where it would slow down the search.
 *
 * @param table required if the statement has several
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
 * Reads every shard separately, in parallel: an unreachable node affects only its own rows.
 *
 * @throws when no shard could be read
 */
export async function readEachShard<R>(
  shards: Pick<Shards, 'parts' | 'isAway'>,
  read: (part: ShardPart) => Promise<R[]>,
  onFailure: (error: unknown) => void,
): Promise<R[]> {
  const { parts } = shards;
  const reads = await Promise.allSettled(parts.map((part) => unlessAway(shards, part, read)));
  const failures = reads.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length === parts.length) throw failures[0];
  for (const failure of failures) onFailure(failure);
  return reads.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/**
 * Runs work that locks rows of any bucket in one transaction, shard by shard, since a Citus statement can lock rows of one
 * shard only. The statement needs {@link withinShard} for each of its tables.
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
 * The same with a transaction for each shard: only the shards of an unreachable node are delayed.
 *
 * @throws AggregateError once the others are done
 */
export async function eachShardByItself(
  shards: Pick<Shards, 'parts' | 'isAway'>,
  work: (part: ShardPart) => Promise<unknown>,
): Promise<void> {
  const { parts } = shards;
  await eachByItself(parts, (part) => unlessAway(shards, part, work), 'not every shard could be worked on');
}

async function unlessAway<R>(
  shards: Pick<Shards, 'isAway'>,
  part: ShardPart,
  work: (part: ShardPart) => Promise<R>,
): Promise<R> {
  if (shards.isAway(part)) throw unavailable();
  return work(part);
}

/** The same in one transaction, with a limit on the rows of all shards together. Returns the number of rows. */
export async function sliceAfterSlice(
  { parts }: Pick<Shards, 'parts'>,
  limit: number,
  work: (part: ShardPart, limit: number) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (const part of parts) if (count < limit) count += await work(part, limit - count);
  return count;
}
