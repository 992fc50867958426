import type { Random } from '../random.ts';
import type { Redis } from '../redis.ts';

/** Identifies a process to itself. */
const SELF_BYTES = 12;

/** Wakes up another part of this process. Carries no data, which is in the database. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  raise(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * Carries a signal from every process to all others that handle it. The poll makes up for signals lost with Redis.
 *
 * @param isHere whether this process handles it
 */
export function carrySignal(
  redis: Redis,
  { name, signal, isHere, random }: { name: string; signal: Signal; isHere: boolean; random: Random },
): void {
  const channel = `parley:{0}:signal:${name}`;
  const self = random.bytes(SELF_BYTES);
  let isHeard = false;
  const hear = () => {
    isHeard = true;
    signal.raise();
    isHeard = false;
  };
  if (isHere) {
    redis.onMessage((published, from) => {
      if (published === channel && !from.equals(self)) hear();
    });
    redis.onGap(hear);
    redis.subscribe(channel).catch(() => {});
  }
  let isTelling = false;
  let isRaisedAgain = false;
  const tell = async () => {
    isTelling = true;
    do {
      isRaisedAgain = false;
      await redis.publish(channel, self).catch(() => {});
    } while (isRaisedAgain);
    isTelling = false;
  };
  signal.subscribe(() => {
    if (isHeard) return;
    isRaisedAgain = true;
    if (!isTelling) void tell();
  });
}
