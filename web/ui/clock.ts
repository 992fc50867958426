import { Watchers } from './watchers.ts';

/** Less may be the time that an answer takes, or the rounding of its header. */
const PUNCTUAL_MS = 10_000;
const corrections = new Watchers();
let aheadMs = 0;

/** The time by the server, which says when things happened and end: the clock of the device may be wrong. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

/** Tells a watcher whenever it turns out that the clock of the device is wrong, or no longer so. */
export const onCorrection = corrections.subscribe;

/** A request that was sent at a time by the device has been answered, at a `date` by the server. */
export function noteServerTime(date: string | null, sentAt: number): void {
  // The device may have slept meanwhile.
  if (Date.now() - sentAt > PUNCTUAL_MS) return;
  const ahead = Date.parse(date ?? '') - sentAt;
  if (!(Math.abs(ahead - aheadMs) > PUNCTUAL_MS)) return;
  aheadMs = ahead;
  corrections.tell();
}
