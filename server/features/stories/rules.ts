const HOUR_MS = 3_600_000;

/**
 * Stories that began at or before this time have ended (decisions: Stories): a story ends a fixed time after
 * its first element. Undefined if stories never end.
 */
export function endedIfBegunBy(
  now: number,
  { storyLifetimeHours }: { storyLifetimeHours: number },
): number | undefined {
  return storyLifetimeHours === 0 ? undefined : now - storyLifetimeHours * HOUR_MS;
}

/** Whether a story that began then has ended. */
export function hasEnded(beganAt: number, endedIfBegunByTime: number | undefined): boolean {
  return endedIfBegunByTime !== undefined && beganAt <= endedIfBegunByTime;
}
