import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from './session.ts';

export type LiveState = 'connecting' | 'open' | 'lost';

const REOPEN_MS = 5_000;

/**
 * Listens to a stream of server-sent events for as long as the component stands, and opens it again whenever it ends.
 * What happened meanwhile has to be read: the stream says by an event of its own that it is open.
 */
export function useEventStream(
  path: string | undefined,
  types: readonly string[],
  onEvent: (type: string, data: unknown) => void,
): LiveState {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const handler = useRef(onEvent);
  handler.current = onEvent;
  const listened = types.join();
  useEffect(() => {
    if (!path) return;
    let source: EventSource;
    let reopening: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      setState('connecting');
      source = new EventSource(path);
      source.onopen = () => setState('open');
      source.onerror = () => {
        setState('lost');
        // The browser tries again by itself, but not after an answer that it did not expect: of a proxy without its
        // server, or that the session has ended.
        if (source.readyState !== EventSource.CLOSED) return;
        void queries.invalidateQueries(sessionQuery);
        reopening = setTimeout(open, REOPEN_MS);
      };
      for (const type of listened.split(',')) {
        source.addEventListener(type, ({ data }) => handler.current(type, JSON.parse(data)));
      }
    };
    open();
    return () => {
      clearTimeout(reopening);
      source.close();
    };
  }, [path, listened, queries]);
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
