import { raiseAlerts } from '#features/webhooks/alerts/raise-alerts.ts';
import { sendNotices } from '#features/webhooks/alerts/send-notices.ts';
import type { Platform } from '#platform/platform.ts';

const EVERY_MS = 10_000;

/** One step: tells of abandoned events, as long as there is somebody to tell. */
export async function tellOfAbandoned(platform: Platform): Promise<void> {
  await raiseAlerts(platform);
  await sendNotices(platform);
}

/** Takes that step every 10 seconds until it is disposed of, one at a time. */
export function startAlertWorker(platform: Platform): AsyncDisposable {
  let step: Promise<void> | undefined;
  const run = () => {
    step ??= tellOfAbandoned(platform)
      .catch((error) => platform.log.error({ err: error }, 'alerts were not sent'))
      .finally(() => {
        step = undefined;
      });
  };
  const timer = setInterval(run, EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await step;
    },
  };
}
