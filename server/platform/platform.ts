import type { IdKind } from '#contract/ids.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Keyring } from './crypto/keyring.ts';
import type { Database } from './database.ts';
import { createIds } from './ids.ts';
import { CurrentNotices } from './live/notices.ts';
import { Signal } from './live/signal.ts';
import { Live } from './live.ts';
import type { Log } from './log.ts';
import { Metrics } from './monitoring/metrics.ts';
import { RecentErrors } from './monitoring/recent-errors.ts';
import type { Shards } from './partitioning/shards.ts';
import { type Random, systemRandom } from './random.ts';
import type { Redis } from './redis.ts';
import { type Guard, guardOf } from './safe-fetch/guard.ts';

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

/** The platform of a process: what is not given has its usual form, or is new. */
export function platformOf(
  given: Pick<Platform, 'config' | 'log' | 'clock' | 'db' | 'shards' | 'keyring'> & Partial<Platform>,
): Platform {
  return {
    random: systemRandom,
    newId: createIds(given.clock, systemRandom),
    live: new Live(),
    redis: undefined,
    guard: given.guard ?? guardOf(given.config),
    dueDeliveries: new Signal(),
    metrics: new Metrics(),
    errors: new RecentErrors(),
    notices: new CurrentNotices(),
    ...given,
  };
}
