import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { LogEvent, SimulatorEvent } from '#contract/live-events.ts';
import { type LiveState, readAgain, useEventStream } from '../../ui/session/live.ts';
import { useTexts } from '../../ui/texts.ts';
import { keyOf, timelineQuery } from '../application/queries.ts';

const OF_EVENTS = [
  'GET /applications/:appId/events/search',
  'GET /applications/:appId/events',
  'GET /applications/:appId/events/:eventId',
] as const;
const OF_REQUESTS = ['GET /applications/:appId/requests'] as const;

/** Keeps the event log and the API log up to date while they are shown, unless paused: an entry, or the open stream, reloads them. */
export function useLiveLogs(appId: string, isHeld = false): LiveState {
  const queries = useQueryClient();
  return useEventStream<LogEvent>(
    isHeld ? undefined : `/api/console/applications/${appId}/live`,
    ({ type }) => {
      const logs = [...(type === 'request' ? [] : OF_EVENTS), ...(type === 'event' ? [] : OF_REQUESTS)];
      for (const log of logs) readAgain(queries, keyOf(appId, log));
    },
  );
}

/** The same for the simulator's timeline. */
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
