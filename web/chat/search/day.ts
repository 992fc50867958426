/**
 * When a day begins where the person is, or one some days later, in epoch milliseconds; not before 1970, and undefined for what is
 * no day: a field of a date has both while its year is typed.
 *
 * @param day such as `2026-10-25`
 */
export function startOfDay(day: string, daysLater = 0): number | undefined {
  const at = new Date(`${day}T00:00`);
  // Not 24 hours later: a day may have 23 or 25.
  at.setDate(at.getDate() + daysLater);
  return Number.isNaN(at.getTime()) ? undefined : Math.max(0, at.getTime());
}
