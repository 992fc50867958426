import type { Accounts } from '#features/accounts/index.ts';
import { removeExpiredMonitoring } from '#features/applications/monitoring/api-log.ts';
import { removeExpiredSecrets } from '#features/applications/renew-secrets.ts';
import { sealClearWebhookUrls } from '#features/applications/webhook-url.ts';
import type { Media } from '#features/media/index.ts';
import { endGrantsOfDeleted } from '#features/oauth/application-hook.ts';
import { removeExpiredGrants } from '#features/oauth/expiry.ts';
import { removeExpiredStories } from '#features/stories/index.ts';
import { removeExpiredEvents } from '#features/webhooks/log/expiry.ts';
import { removeExpiredIdempotencyKeys } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';

const EVERY_MS = 60_000;
/** Per step, so that no transaction grows long. */
const LIMIT = 1000;

type Deps = Platform & { accounts: Accounts; media: Media };

/** One step: removes what has outlived its time. */
export async function removeExpired({ accounts, media, ...platform }: Deps): Promise<void> {
  await accounts.removeExpired({ limit: LIMIT });
  await removeExpiredStories(platform, { limit: LIMIT });
  await removeExpiredSecrets(platform);
  await sealClearWebhookUrls(platform, { limit: LIMIT });
  await endGrantsOfDeleted(platform);
  await removeExpiredGrants(platform, { limit: LIMIT });
  await removeExpiredMonitoring(platform);
  await removeExpiredEvents(platform, { limit: LIMIT });
  await media.removeUnused({ limit: LIMIT });
  await removeExpiredIdempotencyKeys(platform);
}

/** Takes that step every minute until it is disposed of. */
export function startExpiryWorker(deps: Deps): AsyncDisposable {
  let step = Promise.resolve();
  const run = () => {
    step = removeExpired(deps).catch((error) =>
      deps.log.error({ err: error }, 'expired rows were not removed'),
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
