import { ParleyError } from './error.ts';

/** Ends a call's time in the queue: with the headers of its response, or without if there was none. */
type Leave = (headers?: Headers) => void;

interface Waiting {
  go(leave: Leave): void;
}

/** The calls of one endpoint, which has a quota of its own. */
interface Endpoint {
  /** How many more calls the window admits; undefined until a response tells, infinite if there is no quota. */
  left?: number | undefined;
  /** How many calls a whole window admits; 0 if no response told. */
  limit: number;
  /** When the window ends, in epoch milliseconds. */
  endsAt: number;
  /** A call is on its way whose response tells how many are left; until then the others wait. */
  isAsking: boolean;
  /** In order of arrival. */
  waiting: Set<Waiting>;
  /** Set while calls wait for the end of the window. */
  pause?: AbortController | undefined;
}

const WINDOW_MS = 60_000;
/** How much of the quota fleeting calls spread over the window; they may use the rest at once. */
const SPREAD = 0.9;
/** Later by this much, the end is that of another window: the service rounds up to seconds. */
const ANOTHER_WINDOW_MS = 2000;

/**
 * Holds back calls that the service would refuse with 429, as its `RateLimit` headers say, and sends them in order when the
 * window ends.
 */
export class QuotaQueue {
  readonly #now: () => number;
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #mostWaiting: number;
  readonly #endpoints = new Map<string, Endpoint>();

  constructor(
    now: () => number,
    sleep: (ms: number, signal: AbortSignal) => Promise<void>,
    mostWaiting: number,
  ) {
    this.#now = now;
    this.#sleep = sleep;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Resolves when the call may be sent; the caller then has to call what it gets.
   *
   * @param isFleeting it does not wait, and leaves enough of the quota for those of the rest of the window
   * @throws ParleyError if too many are waiting; the signal's reason if it aborts
   */
  async enter(name: string, signal: AbortSignal | undefined, isFleeting = false): Promise<Leave> {
    signal?.throwIfAborted();
    if (this.#mostWaiting === 0) return () => undefined;
    const endpoint = this.#find(name);
    if (isFleeting && this.#isAhead(endpoint))
      throw overfull(`calls of ${name} would use up the quota before its window ends`, 1);
    const leave = endpoint.waiting.size === 0 && this.#admit(endpoint);
    if (leave) return leave;
    const { waiting, endsAt } = endpoint;
    if (waiting.size >= (isFleeting ? 0 : this.#mostWaiting))
      throw overfull(
        `the quota of ${name} is used up, and ${waiting.size} calls are waiting for it`,
        Math.ceil((endsAt - this.#now()) / 1000),
      );
    return new Promise((resolve, reject) => {
      const stop = () => {
        waiting.delete(own);
        this.#pump(endpoint);
        reject(signal?.reason);
      };
      const own: Waiting = {
        go(leave) {
          signal?.removeEventListener('abort', stop);
          resolve(leave);
        },
      };
      waiting.add(own);
      signal?.addEventListener('abort', stop, { once: true });
      this.#pump(endpoint);
    });
  }

  #find(name: string): Endpoint {
    const known = this.#endpoints.get(name);
    if (known) return known;
    const made: Endpoint = { limit: 0, endsAt: 0, isAsking: false, waiting: new Set() };
    this.#endpoints.set(name, made);
    return made;
  }

  #admit(endpoint: Endpoint): Leave | undefined {
    if (endpoint.left !== undefined && endpoint.left < Infinity && this.#now() >= endpoint.endsAt)
      endpoint.left = undefined;
    if (endpoint.left === undefined ? endpoint.isAsking : endpoint.left <= 0) return undefined;
    const isAsking = endpoint.left === undefined;
    if (endpoint.left === undefined) endpoint.isAsking = true;
    else endpoint.left--;
    return (headers) => this.#leave(endpoint, isAsking, headers);
  }

  #leave(endpoint: Endpoint, wasAsking: boolean, headers: Headers | undefined): void {
    const left = readNumber(headers, 'ratelimit-remaining');
    endpoint.limit = readNumber(headers, 'ratelimit-limit') ?? endpoint.limit;
    const seconds = readNumber(headers, 'ratelimit-reset');
    if (wasAsking) endpoint.isAsking = false;
    if (left !== undefined && seconds !== undefined) {
      const endsAt = this.#now() + seconds * 1000;
      const isSameWindow =
        endpoint.left !== undefined &&
        endpoint.left < Infinity &&
        endsAt < endpoint.endsAt + ANOTHER_WINDOW_MS;
      // Other processes may use the same key.
      endpoint.left = isSameWindow ? Math.min(endpoint.left ?? left, left) : left;
      if (!isSameWindow) endpoint.endsAt = endsAt;
    } else if (wasAsking) endpoint.left = Infinity;
    this.#pump(endpoint);
  }

  #pump(endpoint: Endpoint): void {
    for (const first of endpoint.waiting) {
      const leave = this.#admit(endpoint);
      if (!leave) break;
      endpoint.waiting.delete(first);
      first.go(leave);
    }
    if (endpoint.waiting.size === 0) endpoint.pause?.abort();
    else if (!endpoint.isAsking && !endpoint.pause) void this.#pauseUntilEnd(endpoint);
  }

  async #pauseUntilEnd(endpoint: Endpoint): Promise<void> {
    const pause = new AbortController();
    endpoint.pause = pause;
    await this.#sleep(Math.max(0, endpoint.endsAt - this.#now()), pause.signal).catch(() => undefined);
    endpoint.pause = undefined;
    if (!pause.signal.aborted) endpoint.left = undefined;
    this.#pump(endpoint);
  }

  #isAhead({ left, limit, endsAt }: Endpoint): boolean {
    const restMs = endsAt - this.#now();
    return restMs > 0 && left !== undefined && left < limit * SPREAD * (restMs / WINDOW_MS);
  }
}

function overfull(message: string, retryAfterSeconds: number): ParleyError {
  return new ParleyError(message, {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfterSeconds: Math.max(1, retryAfterSeconds),
  });
}

function readNumber(headers: Headers | undefined, name: string): number | undefined {
  const value = headers?.get(name);
  return value && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
