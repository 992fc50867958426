import type { InfiniteData } from '@tanstack/react-query';
import type { LoggedRequest, RequestFilter, RequestPage } from '#contract/applications/monitoring.ts';
import type { EventFilter, EventPage, EventSearch, LoggedEvent } from '#contract/webhooks.ts';

/** A page that grew beyond it while somebody looked on is read again. */
const MOST_ON_A_PAGE = 200;

/**
 * The event log with what became of one event; one that left the filter is not shown, nor is one that is older than what is
 * loaded. Undefined when the log has grown too long, or cannot say whether the event is what is looked for, and is better
 * read again.
 */
export function foldEvent(
  log: InfiniteData<EventPage>,
  search: Omit<EventSearch, 'before'>,
  event: LoggedEvent,
): InfiniteData<EventPage> | undefined {
  const isSame = ({ eventId }: LoggedEvent) => eventId === event.eventId;
  if (log.pages.some(({ events }) => events.some(isSame))) {
    const news = showsEvent(search, event) ? [event] : [];
    const change = (page: EventPage) => ({
      ...page,
      events: page.events.flatMap((shown) => (isSame(shown) ? news : [shown])),
    });
    return { ...log, pages: log.pages.map(change) };
  }
  // Ids sort by time.
  const place = log.pages.findIndex(
    ({ events, nextBefore }) => nextBefore === undefined || event.eventId > (events.at(-1)?.eventId ?? ''),
  );
  const page = log.pages[place];
  if (!page || !showsEvent(search, event)) return log;
  if (page.events.length >= MOST_ON_A_PAGE || !hasId(search, event)) return undefined;
  const events = [...page.events, event].sort((one, other) => (one.eventId < other.eventId ? 1 : -1));
  return { ...log, pages: log.pages.with(place, { ...page, events }) };
}

function showsEvent({ state, type, since }: EventFilter, event: LoggedEvent): boolean {
  return (
    (state === undefined || state === event.state) &&
    (type === undefined || type === event.type) &&
    (since === undefined || event.createdAt >= Number(since))
  );
}

function hasId({ find = '' }: EventSearch, { eventId, msgId }: LoggedEvent): boolean {
  return eventId.includes(find) || (msgId?.includes(find) ?? false);
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
