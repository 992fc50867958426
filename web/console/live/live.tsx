import { Switch } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { LogEvent, SimulatorEvent } from '#contract/live-events.ts';
import { type LiveState, readAgain, useEventStream } from '../../ui/session/live.ts';
import { useTexts } from '../../ui/texts.ts';
import { keyOf, timelineQuery } from '../application/queries.ts';

/** The log that each kind of entry reloads, and what is shown beside it. */
const LOGS = {
  event: [
    'GET /applications/:appId/events/search',
    'GET /applications/:appId/events',
    'GET /applications/:appId/events/:eventId',
  ],
  request: ['GET /applications/:appId/requests'],
} as const;

const PAGE_MS = 1_000;

/**
 * Keeps a log up to date while it is shown, unless paused: an entry, or the open stream, reloads it. A busy application has entries
 * all the time, and a reload requests every loaded page: that is one request a second, however many pages there are.
 */
export function useLiveLog(
  kind: keyof typeof LOGS,
  appId: string,
  { isHeld = false, pages = 1 } = {},
): LiveState {
  const queries = useQueryClient();
  const reload = useThrottledCallback(() => {
    for (const log of LOGS[kind]) readAgain(queries, keyOf(appId, log));
  }, pages * PAGE_MS);
  return useEventStream<LogEvent>(
    isHeld ? undefined : `/api/console/applications/${appId}/live`,
    ({ type }) => {
      if (type === kind || type === 'ready') reload();
    },
  );
}

/** Keeps the simulator's timeline up to date while it is shown: every live event reloads it. */
export function useLiveTimeline(appId: string): LiveState {
  const queries = useQueryClient();
  return useEventStream<SimulatorEvent>(`/api/console/applications/${appId}/simulator/live`, () =>
    readAgain(queries, timelineQuery(appId).queryKey),
  );
}

/** Lets a log follow live events, or pauses it for reading. */
export function LiveSwitch({
  state,
  isHeld,
  onHold,
}: {
  state: LiveState;
  isHeld: boolean;
  onHold: (isHeld: boolean) => void;
}) {
  const t = useTexts();
  return (
    <Switch
      label={state === 'lost' && !isHeld ? t('console.live.lost') : t('console.live.follow')}
      checked={!isHeld}
      onChange={({ currentTarget }) => onHold(!currentTarget.checked)}
    />
  );
}
