import { serverNow } from './clock.ts';
import { language } from './texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time in so many days. */
export function inDays(days: number): number {
  return serverNow() + days * DAY;
}

/**
 * "3 minutes ago", "in 2 hours": for recent and near times; see {@link Moment} for the element that updates itself. Times
 * between the last tick of the page's clock, `ticked`, and now count as now.
 */
export function relativeTime(at: number, ticked: number): string {
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const now = Math.max(ticked, Math.min(at, serverNow()));
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

/** Cached per language and time zone: creating one costs more than formatting, and a thread needs two for each message. */
function formatter(style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${style} ${locale()} ${new Date().getTimezoneOffset()}`;
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(locale(), STYLES[style]);
  formatters.set(key, made);
  return made;
}

/** Date and time, exact to the second. */
export function fullTime(at: number): string {
  return formatter('full').format(at);
}

/** The minute in the format of a date and time field, in the person's own time zone. */
export function localMinute(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

/** Hours and minutes. */
export function clockTime(at: number): string {
  return formatter('clock').format(at);
}

/** The time, with the date if it is not today. */
export function shortTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return formatter(isToday ? 'clock' : 'short').format(at);
}

/** The date with its weekday. */
export function dayOf(at: number): string {
  return formatter('day').format(at);
}

/** "840 ms", "2.4 s"; a dash if it is not known. */
export function duration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toLocaleString(language(), { maximumFractionDigits: 1 })} s`;
}

/** The person's regional format for the page's language: 24 hours in Britain, 12 in America. */
export function locale(): string {
  return navigator.languages.find((tag) => tag.startsWith(language())) ?? language();
}
