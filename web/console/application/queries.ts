import { queryOptions } from '@tanstack/react-query';
import type { UsageSpan } from '#contract/applications/monitoring.ts';
import { ApiError, callConsole } from '../../ui/api.ts';
import { changeBy } from '../../ui/parts/change.ts';
import { queriesBy } from '../../ui/parts/query.ts';

/** How the keys of an application's queries begin; with an endpoint, of those by that endpoint. */
export const keyOf = (appId: string, ...endpoint: [Parameters<typeof callConsole>[0]?]) => [
  'applications',
  appId,
  ...endpoint,
];

export const { query: consoleQuery, pages: consolePages } = queriesBy(callConsole, ({ appId }) =>
  appId === undefined ? [] : keyOf(appId),
);

export const homeQuery = consoleQuery('GET /home');

/** Whether a bot may have a username, and free ones like it, or like a name. */
export const usernamesQuery = (like: string) => ({
  ...consoleQuery('GET /bot-usernames', { query: { like } }),
  enabled: like !== '',
});

/** The keys of an application, with all of its parts, and of its card on the first screen. */
export const keysOf = (appId: string | undefined) =>
  appId === undefined ? [homeQuery.queryKey] : [keyOf(appId), homeQuery.queryKey];

/** A change by an endpoint of the console. */
export const useChange = changeBy(callConsole, ({ appId }) => keysOf(appId));

export const applicationQuery = (appId: string) =>
  consoleQuery('GET /applications/:appId', { params: { appId } });

/** The bot of an application; `null` before it has one. */
export const botQuery = (appId: string) =>
  queryOptions({
    queryKey: keyOf(appId, 'GET /applications/:appId/bot'),
    queryFn: ({ signal }) =>
      orNone(callConsole('GET /applications/:appId/bot', { params: { appId }, signal })),
  });

/** The test person and the bot; `null` before the application has a bot. */
export const simulatorQuery = (appId: string) =>
  queryOptions({
    queryKey: keyOf(appId, 'GET /applications/:appId/simulator'),
    queryFn: ({ signal }) =>
      orNone(callConsole('GET /applications/:appId/simulator', { params: { appId }, signal })),
  });

/** A part of an application; `null` if it has none. */
async function orNone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Messages, events with their attempts, and API calls, newest first as they happened. */
export const timelineQuery = (appId: string) =>
  consoleQuery('GET /applications/:appId/simulator/timeline', { params: { appId } });

export const usageQuery = (appId: string, span: UsageSpan, range: { from?: number; to?: number } = {}) => ({
  ...consoleQuery('GET /applications/:appId/usage', {
    params: { appId },
    query: { span, ...range },
  }),
  refetchInterval: 15_000,
});
