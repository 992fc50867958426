import { useNow } from '../../ui/parts/moment.tsx';
import { text } from '../../ui/texts.ts';
import { clockTime, fullTime, locale } from '../../ui/times.ts';
import classes from './list.module.css';

const DAYS_BY_NAME = 6;

/** A time, as short as a list requires: the time today, then the weekday, then the date; exact on hover. */
export function ShortTime({ at }: { at: number }) {
  return (
    <time className={classes.time} dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {shortTime(at, useNow())}
    </time>
  );
}

function shortTime(at: number, now: number): string {
  const days = daysBetween(at, now);
  if (days <= 0) return clockTime(at);
  if (days === 1) return text('chat.conversation.yesterday');
  if (days <= DAYS_BY_NAME) return new Intl.DateTimeFormat(locale(), { weekday: 'short' }).format(at);
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'short' }).format(at);
}

/** The number of midnights between two times. */
export function daysBetween(at: number, now: number): number {
  return Math.round((midnightBefore(now) - midnightBefore(at)) / 86_400_000);
}

function midnightBefore(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
