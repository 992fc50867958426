import type { MuteState } from '#contract/webhooks/alerts.ts';
import { invalidArgument } from '#platform/errors.ts';

/** Later than every date. */
const FOR_EVER = 8_640_000_000_000_000;

/** The end of the mute, or `null` for forever; undefined unmutes. */
export type Until = number | null | undefined;
export function viewMute(mutedUntil: number | null, now: number): MuteState {
  if (mutedUntil === null || mutedUntil <= now) return { isMuted: false };
  return { isMuted: true, ...detailsOf(mutedUntil, 'mutedUntil') };
}

export function readUntil(until: Until, now: number): number | null {
  if (until === undefined) return null;
  if (until === null) return FOR_EVER;
  if (until <= now) throw invalidArgument('until', 'future');
  return until;
}

/** The end of the mute, if it has one. */
export function detailsOf<T extends string = 'until'>(mutedUntil: number | null, name = 'until' as T) {
  return mutedUntil === null || mutedUntil === FOR_EVER ? {} : ({ [name]: mutedUntil } as Record<T, number>);
}
