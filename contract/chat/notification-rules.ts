/**
 * Whether it is within the person's quiet hours. A time zone unknown to this runtime counts as no quiet hours.
 *
 * @param now epoch milliseconds
 */
export function isQuiet(
  { quietHours }: { quietHours: { from: string; until: string; timeZone: string } | null },
  now: number,
): boolean {
  if (!quietHours) return false;
  const { from, until, timeZone } = quietHours;
  if (!isTimeZone(timeZone)) return false;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now);
  return from <= until ? from <= time && time < until : from <= time || time < until;
}

/** Whether this runtime knows a time zone by that name. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
