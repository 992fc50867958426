import { language } from './texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * "3 minutes ago", "in 2 hours": for moments near now; see {@link Moment} for the element that keeps it true. What happened
 * since the clock of the page last `ticked` happened just now.
 */
export function relativeTime(at: number, ticked: number): string {
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const now = Math.max(ticked, Math.min(at, Date.now()));
  const difference = at - now;
  const size = Math.abs(difference);
  if (size < MINUTE) return format.format(Math.round(difference / 1000), 'second');
  if (size < HOUR) return format.format(Math.round(difference / MINUTE), 'minute');
  if (size < DAY) return format.format(Math.round(difference / HOUR), 'hour');
  return format.format(Math.round(difference / DAY), 'day');
}

const STYLES = {
  full: { dateStyle: 'medium', timeStyle: 'medium' },
  clock: { timeStyle: 'short' },
  short: { dateStyle: 'medium', timeStyle: 'short' },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Made once for each language: it costs more than what it formats, and a thread has two for each message. */
function formatter(style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${style} ${locale()}`;
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(locale(), STYLES[style]);
  formatters.set(key, made);
  return made;
}

/** Date and time, exact to the second. */
export function fullTime(at: number): string {
  return formatter('full').format(at);
}

/** The minute as a field for date and time wants it, in the person's own time zone. */
export function localMinute(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

/** Hours and minutes. */
export function clockTime(at: number): string {
  return formatter('clock').format(at);
}

/** The time of day; of another day with its date. */
export function shortTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return formatter(isToday ? 'clock' : 'short').format(at);
}

/** The day alone, with its weekday. */
export function dayOf(at: number): string {
  return formatter('day').format(at);
}

/** "840 ms", "2.4 s". */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toLocaleString(language(), { maximumFractionDigits: 1 })} s`;
}

/** How times are written where the person is: 24 hours in Britain, 12 in America. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.startsWith(language())) ?? language();
}
