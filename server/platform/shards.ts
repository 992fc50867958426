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
}

export const ONE_PLACE: Shards = { isDistributed: false, workers: 0, of: () => '' };
