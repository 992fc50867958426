import { say } from '#contract/reasons.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { withDeps } from '#platform/with-deps.ts';
import { mediaChatRoutes } from './chat.ts';
import { openMediaStore } from './open-store.ts';
import { type IncomingFile, receiveUpload, UploadTurns } from './receive.ts';
import type { ByteRange } from './rules.ts';
import { claimUploads, findMedia, keepForHold, releaseUpload, removeUnusedMedia } from './service.ts';
import { type FindOwnLimits, findMediaLimits } from './usage.ts';

export { askMediaStore } from './open-store.ts';

import { mediaPublicRoutes } from './public.ts';

const UPLOADS_AT_ONCE = 4;

/** Uploads: the files that people send and show. */
export type Media = ReturnType<typeof openMedia>['api'];

/** Accounts, which know the limits of one person, come after media. */
function openMedia(platform: Platform, { findOwnLimits }: { findOwnLimits: FindOwnLimits }) {
  const { config } = platform;
  const deps = { ...platform, findOwnLimits, store: openMediaStore(config) };
  const turns = new UploadTurns();
  const starts = new RateLimit(platform, {
    name: 'upload',
    limit: config.uploadsPerMinute,
    findLimit: async (accountId) => (await findOwnLimits(accountId))?.uploadsPerMinute,
    windowMs: 60_000,
    refusal: say('person.uploading-fast'),
  });
  const api = {
    /** Receives an upload; limited per minute, and to a few concurrent ones per person. */
    async receive(file: IncomingFile) {
      await starts.count(file.ownerId);
      return turns.take(file.ownerId, UPLOADS_AT_ONCE, () => receiveUpload(deps, file));
    },
    /** The bytes of an upload; undefined if they no longer exist. */
    read: (mediaId: string, range: ByteRange | undefined) => deps.store.read(mediaId, range),
    /** The map tiles for people who agreed to load them. */
    mapTiles: { ...(config.mapTiles && { tiles: config.mapTiles }) },
    release: releaseUpload,
    hold: keepForHold,
    ...withDeps(deps, {
      findLimits: findMediaLimits,
      find: findMedia,
      claim: claimUploads,
      removeUnused: removeUnusedMedia,
    }),
  };
  return { api, hooks: {} };
}

export function createMedia(platform: Platform, features: Parameters<typeof openMedia>[1]) {
  const { api, hooks } = openMedia(platform, features);
  return { api, hooks, routes: [...mediaChatRoutes(api), ...mediaPublicRoutes(api)] };
}
