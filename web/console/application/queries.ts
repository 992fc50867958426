import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import type { UsageSpan } from '#contract/applications/monitoring.ts';
import {
  type AnswerOf,
  ApiError,
  type ConsoleTable,
  callConsole,
  type Given,
  type InputOf,
  type KeyOf,
} from '../../ui/api.ts';
import { type AfterChange, useChangeOf } from '../../ui/parts/change.ts';
import { queriesBy } from '../../ui/parts/query.ts';

type Key = KeyOf<ConsoleTable>;

/** How the keys of an application's queries begin; with an endpoint, of those by that endpoint. */
export const keyOf = (appId: string, ...endpoint: [Key?]) => ['applications', appId, ...endpoint];

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

/** The application in the URL: that of the path, or the one that the wizard has made. */
function useAppId(): string | undefined {
  const { appId } = useParams();
  const [query] = useSearchParams();
  return appId ?? query.get('app') ?? undefined;
}

/** The input of an endpoint, without the application in the URL. */
type Own<Input> = Input extends { params: infer Params }
  ? Omit<Input, 'params'> & (keyof Params extends 'appId' ? unknown : { params: Omit<Params, 'appId'> })
  : Input;
type OwnInput<K extends Key> = Given<Own<InputOf<ConsoleTable, K>>>;

/** Adds the application. */
function useOwn<K extends Key>() {
  const appId = useAppId();
  return (given: object & { params?: object } = {}) => {
    const input = appId === undefined ? given : { ...given, params: { appId, ...given.params } };
    // Only a screen of an application calls endpoints of one.
    return [input] as unknown as Given<InputOf<ConsoleTable, K>>;
  };
}

/** A query by an endpoint of the application in the URL, or by one that needs none. */
export function useOwnQuery<K extends Key>(key: K, ...[given]: OwnInput<K>) {
  return useQuery(consoleQuery(key, ...useOwn<K>()(given)));
}

/** The same by one that answers in pages; other filters keep what is shown until there is something else. */
export function useOwnPages<K extends Key>(key: K, ...[given]: OwnInput<K>) {
  return useInfiniteQuery({
    ...consolePages(key, ...useOwn<K>()(given)),
    placeholderData: keepPreviousData,
  });
}

/** A change by such an endpoint. */
export function useChange<K extends Key>(key: K, after?: AfterChange<AnswerOf<ConsoleTable, K>>) {
  const complete = useOwn<K>();
  return useChangeOf<OwnInput<K>[0], AnswerOf<ConsoleTable, K>>(
    keysOf(useAppId()),
    (given) => callConsole(key, ...complete(given)),
    after,
  );
}

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
