import type { Redis } from '../redis.ts';

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
 * Carries a signal from processes that only raise it to those that handle it. Local signals need no relay, and the poll
 * makes up for signals lost with Redis.
 */
export function carrySignal(
  redis: Redis,
  { name, signal, isHere }: { name: string; signal: Signal; isHere: boolean },
): void {
  const channel = `parley:{0}:signal:${name}`;
  if (isHere) {
    redis.onMessage((published) => {
      if (published === channel) signal.raise();
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
