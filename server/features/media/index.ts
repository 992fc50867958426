import { say } from '#contract/reasons.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { withDeps } from '#platform/with-deps.ts';
import { openMediaStore } from './open-store.ts';
import { type MediaDeps, UploadTurns } from './receive.ts';
import { mediaRoutes } from './routes.ts';
import { claimUploads, keepForHold, releaseUpload, removeUnusedMedia } from './service.ts';
import type { FindOwnLimits } from './usage.ts';

export { askMediaStore } from './open-store.ts';

/** Uploads: the files that people send and show. */
export type Media = ReturnType<typeof createMedia>['api'];

/** Accounts, which know the limits of one person, come after media. */
export function createMedia(given: Platform & { findOwnLimits: FindOwnLimits }) {
  const { config, findOwnLimits } = given;
  const deps: MediaDeps = {
    ...given,
    store: openMediaStore(config),
    turns: new UploadTurns(),
    starts: new RateLimit(given, {
      name: 'upload',
      limit: config.uploadsPerMinute,
      findLimit: async (accountId) => (await findOwnLimits(accountId))?.uploadsPerMinute,
      windowMs: 60_000,
      refusal: say('person.uploading-fast'),
    }),
  };
  return {
    api: {
      release: releaseUpload,
      hold: keepForHold,
      ...withDeps(deps, { claim: claimUploads, removeUnused: removeUnusedMedia }),
    },
    routes: mediaRoutes(deps),
    hooks: {},
  };
}
