import { useEffect, useState } from 'react';
import { useTexts } from '../../ui/texts.ts';
import { useFeedState } from '../live/feed.ts';
import classes from './frame.module.css';
import { frameTexts } from './texts.ts';

/** Short interruptions are not reported. */
const WAIT_TIMEOUT_MS = 2_000;

/** Shows, unobtrusively, that the page is disconnected. */
export function ConnectionBanner() {
  const t = useTexts(frameTexts);
  const isLost = useFeedState() === 'lost';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setShown(false);
    const timer = setTimeout(() => setShown(true), WAIT_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status">
      {isShown && <div className={classes.banner}>{navigator.onLine ? t.connecting : t.offline}</div>}
    </div>
  );
}
