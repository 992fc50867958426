import { BUCKETS } from '#platform/ids.ts';
import type { ShardPart, Shards } from '#platform/partitioning/shards.ts';

export const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket }));

/** The same shards; on a single PostgreSQL these parts, as if it were distributed. */
export function asIfDistributed(shards: Shards, parts: readonly ShardPart[] = [ALL_BUCKETS]): Shards {
  return { ...shards, isDistributed: true, parts: shards.isDistributed ? shards.parts : parts };
}

/** The same shards, preceded by an empty one whose statements all fail, as if its node were unreachable. */
export function withLostShard(shards: Shards): Shards {
  const distributed = asIfDistributed(shards);
  return { ...distributed, parts: [[{ bucket: Number.NaN }], ...distributed.parts] };
}
