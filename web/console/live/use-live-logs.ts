import { type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { LoggedRequest, RequestFilter, RequestPage } from '#contract/applications/monitoring.ts';
import type { LogEvent } from '#contract/live-events.ts';
import type { EventPage, EventSearch, LoggedEvent } from '#contract/webhooks.ts';
import { type LiveState, readAgain, useEventStream } from '../../ui/session/live.ts';
import { foldEvent, foldRequest } from './fold.ts';

/** Keeps the event log and the API log true while somebody looks at them, unless they are held still. */
export function useLiveLogs(appId: string, isHeld = false): LiveState {
  const queries = useQueryClient();
  const of = (...part: string[]) => ['applications', appId, ...part];
  return useEventStream<LogEvent>(
    isHeld ? undefined : `/api/console/applications/${appId}/live`,
    ({ type, data }) => {
      if (type === 'event') followEvent(queries, of, data);
      else if (type === 'request') followRequest(queries, of('requests'), data);
      // Earlier entries are in the lists.
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

function followRequest(queries: QueryClient, queryKey: string[], request: LoggedRequest): void {
  for (const [key, log] of queries.getQueriesData<InfiniteData<RequestPage>>({ queryKey })) {
    fold(queries, key, log, (known) => foldRequest(known, key.at(-1) as RequestFilter, request));
  }
}

/** Changes what is known of a log; what is better read again is read from its first page on. */
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

/** An answer that is on its way may be older than this, and would cover it. */
function put<Log>(queries: QueryClient, queryKey: QueryKey, log: Log | undefined): void {
  if (log) queries.setQueryData<Log>(queryKey, log);
  if (queries.isFetching({ queryKey, exact: true })) readAgain(queries, queryKey);
}
