import { BUCKETS } from '#platform/ids.ts';
import type { Shards } from '#platform/partitioning/shards.ts';

/** The same rows, and first of all a shard of which every statement fails, as when its node is away; nothing lies there. */
export function withLostShard({ isDistributed, parts, ...shards }: Shards): Shards {
  const all = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket }));
  return {
    ...shards,
    isDistributed: true,
    parts: [[{ bucket: Number.NaN }], ...(isDistributed ? parts : [all])],
  };
}
