import { Switch } from '@mantine/core';
import { type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { LoggedRequest, RequestFilter, RequestPage } from '#contract/applications/monitoring.ts';
import type { LogEvent, SimulatorEvent } from '#contract/live-events.ts';
import type { EventPage, EventSearch, LoggedEvent } from '#contract/webhooks.ts';
import { type LiveState, readAgain, useEventStream } from '../../ui/session/live.ts';
import { useTexts } from '../../ui/texts.ts';
import { consoleQuery, keyOf, timelineQuery } from '../application/queries.ts';
import { foldEvent, foldRequest } from './fold.ts';

const EVENT_LOG = 'GET /applications/:appId/events/search';
const REQUEST_LOG = 'GET /applications/:appId/requests';
const LATEST_EVENTS = 'GET /applications/:appId/events';
const EVENT = 'GET /applications/:appId/events/:eventId';
const LOGS = [EVENT_LOG, REQUEST_LOG, LATEST_EVENTS, EVENT] as const;

/** Keeps the event log and the API log up to date while they are shown, unless paused. */
export function useLiveLogs(appId: string, isHeld = false): LiveState {
  const queries = useQueryClient();
  return useEventStream<LogEvent>(
    isHeld ? undefined : `/api/console/applications/${appId}/live`,
    ({ type, data }) => {
      if (type === 'event') followEvent(queries, appId, data);
      else if (type === 'request') followRequest(queries, appId, data);
      // The stream has opened: earlier entries must be loaded.
      else for (const log of LOGS) readAgain(queries, keyOf(appId, log));
    },
  );
}

function followEvent(queries: QueryClient, appId: string, event: LoggedEvent): void {
  const queryKey = keyOf(appId, EVENT_LOG);
  for (const [key, log] of queries.getQueriesData<InfiniteData<EventPage>>({ queryKey })) {
    fold(queries, key, log, (known) => foldEvent(known, (key.at(-1) as { query: EventSearch }).query, event));
  }
  readAgain(queries, keyOf(appId, LATEST_EVENTS));
  readAgain(queries, consoleQuery(EVENT, { params: { appId, eventId: event.eventId } }).queryKey);
}

function followRequest(queries: QueryClient, appId: string, request: LoggedRequest): void {
  const queryKey = keyOf(appId, REQUEST_LOG);
  for (const [key, log] of queries.getQueriesData<InfiniteData<RequestPage>>({ queryKey })) {
    fold(queries, key, log, (known) =>
      foldRequest(known, (key.at(-1) as { query: RequestFilter }).query, request),
    );
  }
}

/** Updates a loaded log; one that must be reloaded is cut to its first page. */
function fold<Page>(
  queries: QueryClient,
  key: QueryKey,
  log: InfiniteData<Page> | undefined,
  change: (known: InfiniteData<Page>) => InfiniteData<Page> | undefined,
): void {
  const folded = log && change(log);
  if (log && !folded) {
    put(queries, key, { pages: log.pages.slice(0, 1), pageParams: log.pageParams.slice(0, 1) });
    readAgain(queries, key);
  } else put(queries, key, folded);
}

/** A response in flight may be older than this and would overwrite it. */
function put<Log>(queries: QueryClient, queryKey: QueryKey, log: Log | undefined): void {
  if (log) queries.setQueryData<Log>(queryKey, log);
  if (queries.isFetching({ queryKey, exact: true })) readAgain(queries, queryKey);
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
