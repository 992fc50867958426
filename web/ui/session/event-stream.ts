import { readEventStream, type ServerSentEvent } from '#contract/event-stream.ts';

/** The server says something every 20 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

export interface StreamFollower {
  /** Asked for each connection: it may say where to go on. */
  path: () => string;
  onOpen?: () => void;
  onEvent: (event: ServerSentEvent) => void;
  /** The stream has ended; it is opened again. */
  onLost: () => void;
  /** The session is over, and nothing is opened any more. */
  onSignedOut: () => void;
  /** Ends it. */
  signal: AbortSignal;
}

/**
 * Listens to a stream of the server, and opens it again whenever it ends. It is read by `fetch`, since an `EventSource`
 * hides the signs of life by which a dead connection is known.
 */
export async function followStream(follower: StreamFollower): Promise<void> {
  const { signal } = follower;
  for (let failures = 0; !signal.aborted; failures++) {
    const onOpen = () => {
      failures = 0;
      follower.onOpen?.();
    };
    const end = await connect({ ...follower, onOpen }).catch(() => 'lost' as const);
    if (signal.aborted) return;
    follower.onLost();
    if (end === 'signed-out') return follower.onSignedOut();
    await pause(Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS), signal);
  }
}

async function connect({
  path,
  onOpen,
  onEvent,
  signal,
}: StreamFollower & { onOpen: () => void }): Promise<'lost' | 'signed-out'> {
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

/** Waits, or until the browser says that there is a network again, or somebody looks. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
  window.addEventListener('online', () => resolve(), { once: true, signal });
  document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
