import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { followStream } from './event-stream.ts';
import { sessionQuery } from './session.ts';

/** The state of a live stream. */
export type LiveState = 'connecting' | 'open' | 'lost';

/**
 * Follows a stream while the component is mounted. Earlier and missed events are not replayed: an event of the stream's own
 * announces that it is open, and data must be reloaded then.
 *
 * @typeParam Event the events of the stream at `path`, from the contract
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
 * Reloads queries after a change. A response in flight may be older than the change, but is not cancelled, so that data
 * that changes constantly still appears; it is followed by another request.
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
