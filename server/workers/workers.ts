import type { Platform } from '#platform/platform.ts';
import { startAlertWorker } from './alerts.ts';
import { startDeliveryWorker } from './delivery.ts';
import { startExpiryWorker } from './expiry.ts';

/** Everything that a process with the role `worker` does in the background. */
export function startWorkers(platform: Platform): AsyncDisposable {
  const started = new AsyncDisposableStack();
  started.use(startDeliveryWorker(platform));
  started.use(startExpiryWorker(platform));
  started.use(startAlertWorker(platform));
  return started;
}
