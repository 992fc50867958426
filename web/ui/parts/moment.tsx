import { type ReactNode, useSyncExternalStore } from 'react';
import { onCorrection, serverNow } from '../clock.ts';
import { useLanguage } from '../texts.ts';
import { fullTime, relativeTime } from '../times.ts';
import { Watchers } from '../watchers.ts';

const ticks = new Watchers();
let current = serverNow();
const tick = () => {
  current = serverNow();
  ticks.tell();
};
setInterval(tick, 10_000);
onCorrection(tick);

/** A relative time, updated while it is shown; the exact time on hover. */
export function Moment({ at }: { at: number }) {
  useLanguage();
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {relativeTime(at, now)}
    </time>
  );
}

/** When something happened, after the words for it, or other words if it has not. */
export function Happened({
  words,
  at,
  never,
}: {
  words?: string;
  at: number | undefined;
  never?: ReactNode;
}) {
  if (at === undefined) return never;
  return (
    <>
      {words && `${words} `}
      <Moment at={at} />
    </>
  );
}

/** The time to the second, for logs; how long ago on hover. */
export function Timestamp({ at }: { at: number }) {
  useLanguage();
  const now = useNow();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={relativeTime(at, now)}
      style={{ whiteSpace: 'nowrap' }}
    >
      {fullTime(at)}
    </time>
  );
}

/** The current time, updated every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(ticks.subscribe, () => current);
}
