import type { InfiniteData } from '@tanstack/react-query';
import type { LoggedRequest, RequestFilter, RequestPage } from '#contract/monitoring.ts';
import type { EventFilter, LoggedEvent } from '#contract/webhooks.ts';

const EVENTS_SHOWN = 100;

/** A page that grew beyond it while somebody looked on is read anew. */
const REQUESTS_ON_A_PAGE = 200;

/** The event log with what became of one event; one that left the filter, or is none of it, is not shown. */
export function foldEvent(events: LoggedEvent[], filter: EventFilter, event: LoggedEvent): LoggedEvent[] {
  const others = events.filter(({ eventId }) => eventId !== event.eventId);
  if (!showsEvent(filter, event)) return others;
  return [...others, event].sort((one, other) => other.createdAt - one.createdAt).slice(0, EVENTS_SHOWN);
}

function showsEvent({ state, type, since }: EventFilter, event: LoggedEvent): boolean {
  return (
    (state === undefined || state === event.state) &&
    (type === undefined || type === event.type) &&
    (since === undefined || event.createdAt >= Number(since))
  );
}

/** The API log with one more request at its top; undefined when it has grown too long and is better read again. */
export function foldRequest(
  log: InfiniteData<RequestPage>,
  filter: Omit<RequestFilter, 'before'>,
  request: LoggedRequest,
): InfiniteData<RequestPage> | undefined {
  const [first, ...rest] = log.pages;
  if (!first || !showsRequest(filter, request)) return log;
  if (first.requests.some(({ requestId }) => requestId === request.requestId)) return log;
  if (first.requests.length >= REQUESTS_ON_A_PAGE) return undefined;
  return { ...log, pages: [{ ...first, requests: [request, ...first.requests] }, ...rest] };
}

function showsRequest(
  { status, route, code, requestId }: Omit<RequestFilter, 'before'>,
  request: LoggedRequest,
): boolean {
  return (
    (status === undefined || isOfClass(status, request.status)) &&
    (route === undefined || route === request.route) &&
    (code === undefined || code === request.code) &&
    (requestId === undefined || requestId === request.requestId)
  );
}

function isOfClass(wanted: NonNullable<RequestFilter['status']>, status: number): boolean {
  return wanted === 'error' ? status >= 400 : wanted.startsWith(String(Math.floor(status / 100)));
}
