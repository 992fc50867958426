import type { InfiniteData } from '@tanstack/react-query';
import type { LoggedRequest, RequestFilter, RequestPage } from '#contract/applications/monitoring.ts';
import { passes } from '#contract/webhooks/event-filter.ts';
import type { EventPage, EventSearch, LoggedEvent } from '#contract/webhooks.ts';

/** A page that has grown beyond this through live events is reloaded. */
const MOST_ON_A_PAGE = 200;

/**
 * The event log updated with one event; events that no longer match the filter are removed, and those older than the loaded
 * pages are not added. Undefined if the log has grown too long, or cannot tell whether the event matches, and must be
 * reloaded.
 */
export function foldEvent(
  log: InfiniteData<EventPage>,
  search: Omit<EventSearch, 'before'>,
  event: LoggedEvent,
): InfiniteData<EventPage> | undefined {
  const isSame = ({ eventId }: LoggedEvent) => eventId === event.eventId;
  if (log.pages.some(({ events }) => events.some(isSame))) {
    const news = passes(search, event) ? [event] : [];
    const change = (page: EventPage) => ({
      ...page,
      events: page.events.flatMap((shown) => (isSame(shown) ? news : [shown])),
    });
    return { ...log, pages: log.pages.map(change) };
  }
  // Ids sort by time.
  const index = log.pages.findIndex(
    ({ events, nextBefore }) => nextBefore === undefined || event.eventId > (events.at(-1)?.eventId ?? ''),
  );
  const page = log.pages[index];
  if (!page || !passes(search, event)) return log;
  if (page.events.length >= MOST_ON_A_PAGE || !hasId(search, event)) return undefined;
  const events = [...page.events, event].sort((one, other) => (one.eventId < other.eventId ? 1 : -1));
  return { ...log, pages: log.pages.with(index, { ...page, events }) };
}

function hasId({ find = '' }: EventSearch, { eventId, msgId }: LoggedEvent): boolean {
  return eventId.includes(find) || (msgId?.includes(find) ?? false);
}

/** The API log with a new request at the top; undefined if it has grown too long and must be reloaded. */
export function foldRequest(
  log: InfiniteData<RequestPage>,
  filter: Omit<RequestFilter, 'before'>,
  request: LoggedRequest,
): InfiniteData<RequestPage> | undefined {
  const [first, ...rest] = log.pages;
  if (!first || !showsRequest(filter, request)) return log;
  if (first.requests.some(({ requestId }) => requestId === request.requestId)) return log;
  if (first.requests.length >= MOST_ON_A_PAGE) return undefined;
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
