import { type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ConsoleRequest, ConsoleRequestPage, RequestFilter } from '#contract/applications/monitoring.ts';
import type { LogEvent } from '#contract/live-events.ts';
import type { EventPage, EventSearch, LoggedEvent } from '#contract/webhooks.ts';
import { type LiveState, readAgain, useEventStream } from '../../ui/session/live.ts';
import { foldEvent, foldRequest } from './fold.ts';

/** Keeps the event log and the API log up to date while they are shown, unless paused. */
export function useLiveLogs(appId: string, isHeld = false): LiveState {
  const queries = useQueryClient();
  const of = (...part: string[]) => ['applications', appId, ...part];
  return useEventStream<LogEvent>(
    isHeld ? undefined : `/api/console/applications/${appId}/live`,
    ({ type, data }) => {
      if (type === 'event') followEvent(queries, of, data);
      else if (type === 'request') followRequest(queries, of('requests'), data);
      // The stream has opened: earlier entries must be loaded.
      else for (const part of ['events', 'latest-events', 'event', 'requests']) readAgain(queries, of(part));
    },
  );
}

function followEvent(queries: QueryClient, of: (...part: string[]) => string[], event: LoggedEvent): void {
  for (const [key, log] of queries.getQueriesData<InfiniteData<EventPage>>({ queryKey: of('events') })) {
    fold(queries, key, log, (known) => foldEvent(known, key.at(-1) as EventSearch, event));
  }
  readAgain(queries, of('latest-events'));
  readAgain(queries, of('event', event.eventId));
}

function followRequest(queries: QueryClient, queryKey: string[], request: ConsoleRequest): void {
  for (const [key, log] of queries.getQueriesData<InfiniteData<ConsoleRequestPage>>({ queryKey })) {
    fold(queries, key, log, (known) => foldRequest(known, key.at(-1) as RequestFilter, request));
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
