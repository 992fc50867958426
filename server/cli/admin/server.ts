import { readConfig } from '#platform/config.ts';
import { loadKeyring } from '#platform/crypto/master-keys.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { Signal } from '#platform/live/signal.ts';
import { createLog } from '#platform/log.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { RecentErrors } from '#platform/monitoring/recent-errors.ts';
import type { Platform } from '#platform/platform.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import type { Features } from '../../app.ts';
import { findDistribution, toShards } from '../../distribution/shards.ts';
import type { CommandDeps } from '../command.ts';

/** All features over the server's own database and keys, for what reads or writes messages. */
export async function withFeatures<T>(
  deps: CommandDeps,
  work: (features: Features) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const config = readConfig(deps.environment);
  const log = createLog('silent');
  const db = await deps.openDatabase();
  const keyring = await loadKeyring(config, { ...deps, log });
  const platform: Platform = {
    ...deps,
    config,
    log,
    db,
    keyring,
    redis: undefined,
    shards: toShards(await findDistribution(db)),
    guard: createGuard({ trustedHosts: config.webhookTrustedHosts, extraAuthorities: [] }),
    // The server's workers find out by themselves.
    dueDeliveries: new Signal(),
    metrics: new Metrics(),
    errors: new RecentErrors(),
    notices: new CurrentNotices(),
  };
  const { composeFeatures } = await import('../../app.ts');
  return work(opened.use(composeFeatures(platform)));
}
