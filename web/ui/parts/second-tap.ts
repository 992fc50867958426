const GAP_MS = 500;

/** When each toggle was last used. */
const usedAt = new WeakMap<EventTarget, number>();

/**
 * Whether a click on a toggle is the second of two within half a second, which would undo the first. `detail` does not
 * tell: browsers count two quick taps as one click each.
 */
export function isSecondTap({
  currentTarget,
  timeStamp,
}: {
  currentTarget: EventTarget;
  timeStamp: number;
}): boolean {
  const isSecond = timeStamp - (usedAt.get(currentTarget) ?? Number.NEGATIVE_INFINITY) < GAP_MS;
  if (!isSecond) usedAt.set(currentTarget, timeStamp);
  return isSecond;
}
