import type { IdKind } from '#contract/ids.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Keyring } from './crypto/keyring.ts';
import type { Database } from './database.ts';
import type { CurrentNotices } from './live/notices.ts';
import type { Signal } from './live/signal.ts';
import type { Live } from './live.ts';
import type { Log } from './log.ts';
import type { Metrics } from './monitoring/metrics.ts';
import type { RecentErrors } from './monitoring/recent-errors.ts';
import type { Shards } from './partitioning/shards.ts';
import type { Random } from './random.ts';
import type { Redis } from './redis.ts';
import type { Guard } from './safe-fetch/guard.ts';

/** The dependencies of the features. `Pick` only where a caller has less, such as the command line. */
export interface Platform {
  config: Config;
  log: Log;
  clock: Clock;
  random: Random;
  newId: (kind: IdKind) => string;
  db: Database;
  /** Which rows of the database are co-located. */
  shards: Shards;
  keyring: Keyring;
  live: Live;
  notices: CurrentNotices;
  /** Shared by several processes; undefined when there is only one. */
  redis: Redis | undefined;
  /** Protects every connection to a user-supplied address. */
  guard: Guard;
  /** Raised after a commit that made webhook deliveries due. */
  dueDeliveries: Signal;
  metrics: Metrics;
  errors: RecentErrors;
}
