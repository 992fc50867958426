import { unavailable } from '../errors.ts';

const TICK_MS = 250;
/** Including the rest of the request, the response takes at most 2 s (security design). */
const TIMEOUT_TICKS = 4;
/** For the log, since clients are told no more than that the service is unavailable. */
const AWAY = new Error('Redis does not answer');

interface Call {
  sinceTick: number;
  refuse: () => void;
}

/**
 * A circuit breaker: once a call timed out or failed, every further call is refused at once, until a probe is
 * answered. Counts ticks instead of time, so that a pause of the process does not count.
 */
export function createCircuitBreaker({
  ask,
  onChange,
}: {
  ask: () => Promise<unknown>;
  /** @param error why it does not answer */
  onChange: (isAnswering: boolean, error?: Error) => void;
}) {
  const calls = new Set<Call>();
  let ticks = 0;
  let isAnswering = true;
  let isAsking = false;

  const change = (isNow: boolean, error?: Error) => {
    if (isAnswering === isNow) return;
    isAnswering = isNow;
    onChange(isNow, error);
  };
  const begin = <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiting: Call = {
        sinceTick: ticks,
        refuse: () => reject(unavailable('service.unavailable', AWAY)),
      };
      calls.add(waiting);
      call().then(
        (answer) => {
          calls.delete(waiting);
          resolve(answer);
        },
        (error) => {
          calls.delete(waiting);
          change(false, error);
          reject(error);
        },
      );
    });
  const probe = async () => {
    isAsking = true;
    const isAnswered = await begin(ask).then(
      () => true,
      () => false,
    );
    isAsking = false;
    if (isAnswered) change(true);
  };
  const ticking = setInterval(() => {
    ticks++;
    for (const call of calls) {
      if (ticks - call.sinceTick <= TIMEOUT_TICKS) break;
      calls.delete(call);
      call.refuse();
      change(false, AWAY);
    }
    if (!isAnswering && !isAsking) void probe();
  }, TICK_MS).unref();

  return {
    get isAnswering() {
      return isAnswering;
    },
    wait: <T>(call: () => Promise<T>): Promise<T> =>
      isAnswering ? begin(call) : Promise.reject(unavailable('service.unavailable', AWAY)),
    [Symbol.dispose]() {
      clearInterval(ticking);
      for (const { refuse } of calls) refuse();
    },
  };
}
