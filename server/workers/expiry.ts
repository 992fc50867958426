import { removeExpiredTickets } from '#features/accounts/second-factor/tickets.ts';
import { removeExpiredSessions } from '#features/accounts/sessions/session.ts';
import { removeExpiredMonitoring } from '#features/applications/monitoring/api-log.ts';
import { removeExpiredSecrets } from '#features/applications/renew-secrets.ts';
import { sealClearWebhookUrls } from '#features/applications/webhook-url.ts';
import { removeUnusedMedia } from '#features/media/service.ts';
import { removeExpiredGrants } from '#features/oauth/expiry.ts';
import { endGrantsOfDeleted } from '#features/oauth/follower.ts';
import { removeExpiredStories } from '#features/stories/index.ts';
import { removeExpiredEvents } from '#features/webhooks/log/expiry.ts';
import { removeExpiredIdempotencyKeys } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';

const EVERY_MS = 60_000;
/** Per step, so that no transaction grows long. */
const LIMIT = 1000;

/** One step: removes what has outlived its time. */
export async function removeExpired(platform: Platform): Promise<void> {
  await removeExpiredSessions(platform, { limit: LIMIT });
  await removeExpiredTickets(platform);
  await removeExpiredStories(platform, { limit: LIMIT });
  await removeExpiredSecrets(platform);
  await sealClearWebhookUrls(platform, { limit: LIMIT });
  await endGrantsOfDeleted(platform);
  await removeExpiredGrants(platform, { limit: LIMIT });
  await removeExpiredMonitoring(platform);
  await removeExpiredEvents(platform, { limit: LIMIT });
  await removeUnusedMedia(platform, { limit: LIMIT });
  await removeExpiredIdempotencyKeys(platform);
}

/** Takes that step every minute until it is disposed of. */
export function startExpiryWorker(platform: Platform): AsyncDisposable {
  let step = Promise.resolve();
  const run = () => {
    step = removeExpired(platform).catch((error) =>
      platform.log.error({ err: error }, 'expired rows were not removed'),
    );
  };
  const timer = setInterval(run, EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await step;
    },
  };
}
