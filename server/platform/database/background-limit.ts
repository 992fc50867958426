import { WaitingCallers } from './waiting-callers.ts';

/**
 * Leaves connections to requests while work in the background would wait on all of them. First come, first served.
 *
 * @param most how many may use a connection at once while it applies
 * @param waitMs how long the others wait before they are refused
 */
export function limitBackground({
  applies,
  most,
  waitMs,
}: {
  applies: () => boolean;
  most: number;
  waitMs: number;
}) {
  const waiting = new WaitingCallers<void>();
  let running = 0;
  const isFull = () => running >= most && applies();
  const grant = () => {
    while (waiting.count > 0 && !isFull()) {
      running++;
      waiting.grant();
    }
  };
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      // Whoever grants it counts it.
      if (isFull()) await waiting.wait(waitMs, waitMs);
      else running++;
      try {
        return await work();
      } finally {
        running--;
        grant();
      }
    },
    /** Called at regular intervals. */
    tick() {
      waiting.refuseLate();
      grant();
    },
  };
}
