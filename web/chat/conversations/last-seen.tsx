import { Moment, useNow } from '../../ui/parts/moment.tsx';
import { useTexts } from '../../ui/texts.ts';

/** The server notes the use of a page to the minute, and this page asks once a minute. */
const PRESENT_MS = 2 * 60_000;

/** Whether a person is there now, or when they were last seen. */
export function LastSeen({ at }: { at: number }) {
  const t = useTexts();
  if (useNow() - at < PRESENT_MS) return t('chat.details.online');
  return (
    <>
      {t('chat.details.lastSeen')} <Moment at={at} />
    </>
  );
}
