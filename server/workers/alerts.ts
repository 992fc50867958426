import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';
import { startWork } from './work.ts';

/** Sends alerts about abandoned events until it is disposed of. */
export function startAlertWorker({
  webhooks,
  ...platform
}: Platform & { webhooks: Webhooks }): AsyncDisposable {
  return startWork(platform, { name: 'alerts', everyMs: 10_000 }, () => webhooks.alerts.sendDue());
}
