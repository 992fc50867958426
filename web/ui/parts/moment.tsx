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
  const now = useNow();
  return <Time at={at} shown={relativeTime(at, now)} onHover={fullTime(at)} />;
}

/** The time to the second, for logs; how long ago on hover. */
export function Timestamp({ at }: { at: number }) {
  const now = useNow();
  return <Time at={at} shown={fullTime(at)} onHover={relativeTime(at, now)} />;
}

function Time({ at, shown, onHover }: { at: number; shown: string; onHover: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={onHover} style={{ whiteSpace: 'nowrap' }}>
      {shown}
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

/** The current time, updated every ten seconds, and when it is said in another language. */
export function useNow(): number {
  useLanguage();
  return useSyncExternalStore(ticks.subscribe, () => current);
}
