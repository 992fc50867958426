import type { Webhooks } from '#features/webhooks/index.ts';
import { Loop } from '#platform/loop.ts';
import type { Platform } from '#platform/platform.ts';

/** Sends alerts about abandoned events until it is disposed of. */
export function startAlertWorker({
  webhooks,
  ...platform
}: Platform & { webhooks: Webhooks }): AsyncDisposable {
  return new Loop(platform, { name: 'alerts', everyMs: 10_000 }, () => webhooks.alerts.sendDue());
}
