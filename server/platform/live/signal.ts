import type { Redis } from '../redis.ts';

/** Tells another part of this process to look again. Carries nothing: what there is to see is in the database. */
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
 * Carries a signal from processes that only raise it to those where it is heard. Those hear themselves already, and a
 * signal that is lost with Redis is made good by the poll.
 */
export function carrySignal(
  redis: Redis,
  { name, signal, isHere }: { name: string; signal: Signal; isHere: boolean },
): void {
  const channel = `parley:{0}:signal:${name}`;
  if (isHere) {
    redis.onMessage((heard) => {
      if (heard === channel) signal.raise();
    });
    redis.subscribe(channel).catch(() => {});
    return;
  }
  let isTelling = false;
  let isRaisedAgain = false;
  const tell = async () => {
    isTelling = true;
    do {
      isRaisedAgain = false;
      await redis.publish(channel, Buffer.alloc(0)).catch(() => {});
    } while (isRaisedAgain);
    isTelling = false;
  };
  signal.subscribe(() => {
    isRaisedAgain = true;
    if (!isTelling) void tell();
  });
}
