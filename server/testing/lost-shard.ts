import { BUCKETS } from '#platform/ids.ts';
import type { Shards } from '#platform/partitioning/shards.ts';

/** The same shards, preceded by an empty one whose statements all fail, as if its node were unreachable. */
export function withLostShard({ isDistributed, parts, ...shards }: Shards): Shards {
  const all = Array.from({ length: BUCKETS }, (_, bucket) => ({ bucket }));
  return {
    ...shards,
    isDistributed: true,
    parts: [[{ bucket: Number.NaN }], ...(isDistributed ? parts : [all])],
  };
}
