import { readEventStream, type ServerSentEvent } from '#contract/event-stream.ts';

/** The server sends something every 20 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

export interface StreamHandlers {
  /** Called for each connection: it may contain the position to resume from. */
  path: () => string;
  onOpen?: () => void;
  onEvent: (event: ServerSentEvent) => void;
  /** The stream has ended and will be reopened. */
  onLost: () => void;
  /** The session is over; the stream is not reopened. */
  onSignedOut: () => void;
  /** Closes the stream. */
  signal: AbortSignal;
}

/**
 * Follows an event stream and reopens it whenever it ends. It uses `fetch`, since an `EventSource` hides the heartbeats by
 * which a dead connection is detected.
 */
export async function followStream(handlers: StreamHandlers): Promise<void> {
  const { signal } = handlers;
  for (let failures = 0; !signal.aborted; failures++) {
    const onOpen = () => {
      failures = 0;
      handlers.onOpen?.();
    };
    const follow = (signal: AbortSignal) => connect({ ...handlers, onOpen, signal });
    const end = await inPlace(follow, signal).catch(() => 'lost' as const);
    if (signal.aborted) return;
    handlers.onLost();
    if (end === 'signed-out') return handlers.onSignedOut();
    await pause(Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS), signal);
  }
}

async function connect({
  path,
  onOpen,
  onEvent,
  signal,
}: StreamHandlers & { onOpen: () => void }): Promise<'lost' | 'signed-out'> {
  const dead = new AbortController();
  const end = () => dead.abort();
  let lastActiveAt = Date.now();
  const wake = () => {
    if (!document.hidden && Date.now() - lastActiveAt > SILENCE_MS / 2) end();
  };
  window.addEventListener('offline', end);
  document.addEventListener('visibilitychange', wake);
  const opening = setTimeout(end, SILENCE_MS);
  try {
    const answer = await fetch(path(), {
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, dead.signal]),
    });
    clearTimeout(opening);
    if (answer.status === 401) return 'signed-out';
    if (!answer.ok || !answer.body) return 'lost';
    onOpen();
    const onActivity = () => {
      lastActiveAt = Date.now();
    };
    for await (const event of readEventStream(answer.body, { silenceMs: SILENCE_MS, onActivity })) {
      onEvent(event);
    }
    return 'lost';
  } finally {
    clearTimeout(opening);
    window.removeEventListener('offline', end);
    document.removeEventListener('visibilitychange', wake);
  }
}

/** Waits until the time is over, the network is back, or the page becomes visible. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
  window.addEventListener('online', () => resolve(), { once: true, signal });
  document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

/**
 * Over HTTP/1.1, a browser opens six connections to a server, for all its tabs together: with a stream in each of six tabs,
 * nothing else would get through. So only a few have one, those that somebody looks at before others.
 */
const PLACES = Array.from({ length: 4 }, (_, i) => `parley-stream-${i}`);

/**
 * Calls `use` once there is a place. Its signal aborts with the given one, and when another page is looked at and this one is
 * not.
 *
 * @throws the reason of the signal, if that aborts while there is no place
 */
async function inPlace<T>(use: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  if (!navigator.locks || isMultiplexed()) return use(signal);
  const places = new BroadcastChannel('parley-streams');
  const [found, given] = [new AbortController(), new AbortController()];
  const ask = () => {
    if (!document.hidden) places.postMessage('wanted');
  };
  let using: Promise<T> | undefined;
  const take = async () => {
    if (using) return;
    found.abort();
    places.onmessage = () => {
      if (document.hidden) given.abort();
    };
    using = use(AbortSignal.any([signal, given.signal]));
    await using.catch(() => {});
  };
  const options = { signal: AbortSignal.any([signal, found.signal]) };
  const taken = Promise.allSettled(PLACES.map((name) => navigator.locks.request(name, options, take)));
  document.addEventListener('visibilitychange', ask, options);
  const { held = [] } = await navigator.locks.query();
  if (!using && PLACES.every((name) => held.some((lock) => lock.name === name))) ask();
  await taken;
  places.close();
  if (!using) throw signal.reason;
  return using;
}

/** HTTP/2 and later carry any number of requests over one connection. */
function isMultiplexed(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? '');
}
