import type { Accounts } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Platform } from '#platform/platform.ts';
import { startAlertWorker } from './alerts.ts';
import { startDeliveryWorker } from './delivery.ts';
import { startEventTaskWorker } from './event-tasks.ts';
import { startExpiryWorker } from './expiry.ts';
import { startManagementBotWorker } from './management-bot.ts';

/** Everything that a process with the role `worker` does in the background. */
export function startWorkers(platform: Platform & { accounts: Accounts; media: Media }): AsyncDisposable {
  const started = new AsyncDisposableStack();
  started.use(startDeliveryWorker(platform));
  started.use(startEventTaskWorker(platform));
  started.use(startExpiryWorker(platform));
  started.use(startAlertWorker(platform));
  started.use(startManagementBotWorker(platform));
  return started;
}
