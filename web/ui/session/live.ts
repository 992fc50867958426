import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { followStream } from './event-stream.ts';
import { sessionQuery } from './session.ts';

/** Of a stream of live events. */
export type LiveState = 'connecting' | 'open' | 'lost';

/**
 * Listens to a stream for as long as the component stands. What happened before and meanwhile has to be read: the stream says
 * by an event of its own that it is open.
 *
 * @typeParam Event what the contract says of the stream at `path`
 */
export function useEventStream<Event extends { type: string; data: unknown }>(
  path: string | undefined,
  onEvent: (event: Event) => void,
): LiveState {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const handler = useRef(onEvent);
  handler.current = onEvent;
  useEffect(() => {
    if (!path) return;
    const ending = new AbortController();
    setState('connecting');
    void followStream({
      path: () => path,
      onOpen: () => setState('open'),
      onEvent: ({ type, data }) => {
        if (data !== undefined) handler.current({ type, data: JSON.parse(data) } as Event);
      },
      onLost: () => setState('lost'),
      onSignedOut: () => void queries.invalidateQueries(sessionQuery),
      signal: ending.signal,
    });
    return () => ending.abort();
  }, [path, queries]);
  return state;
}

const askedAgain = new WeakSet<Query>();

/**
 * Reads again what the page shows of something, since it has changed. An answer that is on its way may be older than the
 * change: it is awaited, so that what changes all the time is shown all the same, and asked for once more.
 */
export function readAgain(queries: QueryClient, queryKey: QueryKey): void {
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const read = () =>
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
    if (query.state.fetchStatus === 'idle') read();
    else if (!askedAgain.has(query)) {
      askedAgain.add(query);
      void query
        .fetch()
        .catch(() => undefined)
        .then(() => {
          askedAgain.delete(query);
          read();
        });
    }
  }
}
