import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { TimelineItem } from '#contract/applications/simulator.ts';
import type { SimulatorEvent } from '#contract/live-events.ts';
import { callConsole } from '../../ui/api.ts';
import { type LiveState, readAgain, useEventStream } from '../../ui/session/live.ts';
import { orNone } from '../application/queries.ts';

/** The test person and the bot; `null` before the application has a bot. */
export const simulatorQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'simulator'],
    queryFn: ({ signal }) =>
      orNone(callConsole('GET /applications/:appId/simulator', { params: { appId }, signal })),
  });

/** Messages, events with their attempts, and API calls, newest first as they happened. */
export const timelineQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'timeline'],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/simulator/timeline', { params: { appId }, signal }),
  });

/** Keeps the timeline up to date while it is shown: every live event reloads it. */
export function useLiveTimeline(appId: string): LiveState {
  const queries = useQueryClient();
  return useEventStream<SimulatorEvent>(`/api/console/applications/${appId}/simulator/live`, () =>
    readAgain(queries, timelineQuery(appId).queryKey),
  );
}

export function itemKey({ kind, at, message, event, request }: TimelineItem): string {
  return `${kind} ${message?.msgId ?? event?.eventId ?? request?.requestId ?? at}`;
}
