import { MEDIA_BYTES, type MediaLimits } from '#contract/media.ts';
import type { PersonLimits } from '#contract/operate/people.ts';
import type { Platform } from '#platform/platform.ts';
import { selectUsage } from './queries.ts';

const DAY_MS = 24 * 3_600_000;

/** Days since 1970, UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

export function secondsOfDayLeft(now: number): number {
  return Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000);
}

/** The limits that operators chose for a person; undefined if the person has only the server's limits. */
export type FindOwnLimits = (accountId: string) => Promise<PersonLimits | undefined>;

export async function findBytesPerDay(
  {
    config,
    findOwnLimits,
  }: { config: Pick<Platform['config'], 'uploadMegabytesPerDay'>; findOwnLimits: FindOwnLimits },
  accountId: string,
): Promise<number> {
  const own = await findOwnLimits(accountId);
  return (own?.uploadMegabytesPerDay ?? config.uploadMegabytesPerDay) * 1024 * 1024;
}

/** How much a person may upload, and how much is left today. */
export async function findMediaLimits(
  deps: Platform & { findOwnLimits: FindOwnLimits },
  accountId: string,
): Promise<MediaLimits> {
  const { db, clock, config } = deps;
  const perDay = await findBytesPerDay(deps, accountId);
  const used = await selectUsage(db, accountId, dayOf(clock.now()));
  return {
    maxBytes: MEDIA_BYTES,
    bytesPerDay: perDay,
    bytesLeftToday: Math.max(0, perDay - used),
    isPublic: config.publicUrl !== undefined,
  };
}
