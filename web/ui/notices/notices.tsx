import { Anchor, CloseButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect } from 'react';
import { textIn } from '#contract/languages.ts';
import type { Maintenance } from '#contract/notices.ts';
import { ApiError } from '../api.ts';
import { useNow } from '../parts/moment.tsx';
import { useLanguage, useTexts } from '../texts.ts';
import { shortTime } from '../times.ts';
import classes from './notices.module.css';
import { announcementsQuery, maintenanceQuery, readNoticesAgain } from './queries.ts';

/** The announcements dismissed in this browser. */
const DISMISSED = { key: 'parley-dismissed', defaultValue: [] as string[], getInitialValueInEffect: false };
const MOST = 100;

/** The polling interval of pages without a live stream. */
const ASK_EVERY_MS = 60_000;

/**
 * The operators' announcements, above the page's content. Every frame includes them.
 *
 * @param isSignedIn announcements are shown only to signed-in people
 * @param live how a page that receives changes by its live stream reads what they change; others poll
 * @param isInset the bar is inside the padding of a page
 */
export function NoticeBar({
  isSignedIn = true,
  live,
  isInset = false,
}: {
  isSignedIn?: boolean;
  live?: <Query extends typeof maintenanceQuery | typeof announcementsQuery>(query: Query) => Query;
  isInset?: boolean;
}) {
  const t = useTexts();
  const language = useLanguage();
  const now = useNow();
  const refetchInterval = live ? (false as const) : ASK_EVERY_MS;
  const { data: maintenance } = useQuery({
    ...(live?.(maintenanceQuery) ?? maintenanceQuery),
    refetchInterval,
  });
  const { data: announcements = [] } = useQuery({
    ...(live?.(announcementsQuery) ?? announcementsQuery),
    refetchInterval,
    enabled: isSignedIn,
  });
  const [dismissed, setDismissed] = useLocalStorage(DISMISSED);
  useAskWhenRefused();
  const shown = announcements.filter(
    ({ announcementId, endsAt = Number.POSITIVE_INFINITY }) =>
      isSignedIn && now < endsAt && !dismissed.includes(announcementId),
  );
  const isEmpty = !maintenance && shown.length === 0;
  return (
    // Screen readers hear only of what is added to something that they know.
    <div aria-live="polite" className={isEmpty ? 'visually-hidden' : undefined}>
      {!isEmpty && (
        <section aria-label={t('ui.notice.notices')} className={isInset ? classes.inset : undefined}>
          {maintenance && <MaintenanceNotice maintenance={maintenance} now={now} />}
          {shown.map(({ announcementId, text }) => (
            <div key={announcementId} className={classes.notice}>
              <div className={classes.text}>{withLinks(textIn(text, language))}</div>
              <CloseButton
                size="sm"
                aria-label={t('ui.notice.dismiss')}
                onClick={() => setDismissed((others) => [announcementId, ...others].slice(0, MOST))}
              />
            </div>
          ))}
        </section>
      )}
    </div>
  );
}

function MaintenanceNotice({ maintenance: { until, text }, now }: { maintenance: Maintenance; now: number }) {
  const t = useTexts();
  const language = useLanguage();
  return (
    <div className={`${classes.notice} ${classes.maintenance}`}>
      <div className={classes.text}>
        <b>
          {now < until ? t('ui.notice.maintenance', { when: shortTime(until, now) }) : t('ui.notice.overdue')}
        </b>{' '}
        {text && `${textIn(text, language)} `}
        {t('ui.notice.readingWorks')}
      </div>
    </div>
  );
}

/** Without a live stream, a refused change is the first sign of maintenance. */
function useAskWhenRefused(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      queries.getMutationCache().subscribe(({ type, mutation }) => {
        const error = mutation?.state.error;
        const isRefused = error instanceof ApiError && error.reason === 'service.maintenance';
        if (type === 'updated' && isRefused) readNoticesAgain(queries);
      }),
    [queries],
  );
}

function withLinks(text: string): ReactNode {
  return text.split(/(https:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified only by its position.
    <Fragment key={i}>
      {part.startsWith('https://') ? (
        <Anchor href={part} target="_blank" rel="noopener noreferrer" inherit underline="always">
          {part}
        </Anchor>
      ) : (
        part
      )}
    </Fragment>
  ));
}
