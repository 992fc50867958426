import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import {
  type AnswerOf,
  type AnyTable,
  type Caller,
  callAuth,
  callChat,
  type Given,
  type InputOf,
  type KeyOf,
} from '../api.ts';
import { paramsOf } from './change.ts';

/**
 * Queries by the endpoints of a table, `useQuery(query('GET /people', { query: { query: name } }))`, and by those that
 * answer in pages: `useInfiniteQuery(pages('GET /acts'))`.
 *
 * @param scopeOf how the keys of the queries begin, by the parameters of the path
 */
export function queriesBy<Table extends AnyTable>(
  call: Caller<Table>,
  scopeOf: (params: Readonly<Record<string, string>>) => QueryKey,
) {
  const keyOf = (key: string, input?: object): QueryKey => [
    ...scopeOf(paramsOf(input)),
    key,
    ...(input ? [input] : []),
  ];
  const query = <Key extends KeyOf<Table>>(key: Key, ...given: Given<InputOf<Table, Key>>) =>
    keyed(call)(keyOf(key, given[0]), key, ...given);
  const pages = <Key extends KeyOf<Table>>(key: Key, ...given: Given<InputOf<Table, Key>>) =>
    keyedPages(call)(keyOf(key, given[0]), key, ...given);
  return { query, pages };
}

/** Queries by endpoints, under keys of their own. */
function keyed<Table extends AnyTable>(call: Caller<Table>) {
  return <Key extends KeyOf<Table>>(queryKey: QueryKey, key: Key, ...[input]: Given<InputOf<Table, Key>>) =>
    queryOptions({
      queryKey,
      queryFn: ({ signal }) => call(key, { ...input, signal } as InputOf<Table, Key>),
    });
}

/** The same, by those that answer in pages: an answer says where the next one begins. */
function keyedPages<Table extends AnyTable>(call: Caller<Table>) {
  return <Key extends KeyOf<Table>>(queryKey: QueryKey, key: Key, ...[input]: Given<InputOf<Table, Key>>) =>
    infiniteQueryOptions({
      queryKey,
      queryFn: ({ pageParam, signal }) => {
        const { query } = (input ?? {}) as { query?: object };
        const asked: object = { ...input, query: { ...query, ...pageParam }, signal };
        return call(key, asked as InputOf<Table, Key>);
      },
      initialPageParam: {} as { before?: string; cursor?: string },
      getNextPageParam: (page: AnswerOf<Table, Key>) => {
        const { nextBefore, nextCursor } = page as { nextBefore?: string; nextCursor?: string };
        if (nextCursor !== undefined) return { cursor: nextCursor };
        return nextBefore === undefined ? undefined : { before: nextBefore };
      },
    });
}

export const chatQuery = keyed(callChat);
export const chatPages = keyedPages(callChat);
export const authQuery = keyed(callAuth);
