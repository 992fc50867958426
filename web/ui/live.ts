import { useEffect, useRef, useState } from 'react';

export type LiveState = 'connecting' | 'open' | 'lost';

/**
 * Listens to a stream of server-sent events for as long as the component stands. The browser reconnects by itself and
 * sends `Last-Event-ID`; `onOpen` is told each time, since what was missed may have to be fetched.
 */
export function useEventStream(
  path: string | undefined,
  types: readonly string[],
  onEvent: (type: string, data: unknown) => void,
  onOpen?: () => void,
): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const handlers = useRef({ onEvent, onOpen });
  handlers.current = { onEvent, onOpen };
  const listened = types.join();
  useEffect(() => {
    if (!path) return;
    const source = new EventSource(path);
    source.onopen = () => {
      setState('open');
      handlers.current.onOpen?.();
    };
    source.onerror = () => setState('lost');
    for (const type of listened.split(',')) {
      source.addEventListener(type, ({ data }) => handlers.current.onEvent(type, JSON.parse(data)));
    }
    return () => source.close();
  }, [path, listened]);
  return state;
}
