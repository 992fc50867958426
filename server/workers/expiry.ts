import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Media } from '#features/media/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Stories } from '#features/stories/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import { removeExpiredIdempotencyKeys } from '#platform/http/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { startWork } from './work.ts';

type Deps = Platform & {
  accounts: Accounts;
  applications: Applications;
  media: Media;
  oauth: OAuth;
  stories: Stories;
  webhooks: Webhooks;
};

/** Per step, to keep transactions short. */
const LIMIT = { limit: 1000 };

const REMOVALS: ((deps: Deps) => Promise<unknown>)[] = [
  ({ accounts }) => accounts.removeExpired(LIMIT),
  ({ stories }) => stories.removeExpired(LIMIT),
  ({ applications }) => applications.removeExpiredSecrets(),
  ({ applications }) => applications.removeExpiredMonitoring(),
  ({ oauth }) => oauth.endGrantsOfDeleted(),
  ({ oauth }) => oauth.removeExpiredGrants(LIMIT),
  ({ oauth }) => oauth.openId.removeExpiredSigningKeys(),
  ({ webhooks }) => webhooks.removeExpired(LIMIT),
  ({ media }) => media.removeUnused(LIMIT),
  removeExpiredIdempotencyKeys,
];

/** One step: removes expired data. If one removal fails, the others still run. */
export async function removeExpired(deps: Deps, signal?: AbortSignal): Promise<void> {
  const remove = async (removal: (deps: Deps) => Promise<unknown>) => {
    if (!signal?.aborted) await removal(deps);
  };
  await eachByItself(REMOVALS, remove, 'not everything that has expired could be removed');
}

/** Runs the step every minute until it is disposed of. */
export function startExpiryWorker(deps: Deps): AsyncDisposable {
  return startWork(deps, { name: 'expiry', everyMs: 60_000 }, (signal) => removeExpired(deps, signal));
}
