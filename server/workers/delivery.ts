import { type Courier, type CourierOptions, createCourier } from '#features/webhooks/courier.ts';
import { deliverDue } from '#features/webhooks/deliver-due.ts';
import { resumeForgotten } from '#features/webhooks/service.ts';
import type { Platform } from '#platform/platform.ts';

export interface DeliveryWorkerOptions extends CourierOptions {
  /** How long it sleeps at most: what other processes write, and what falls due, is found that late. */
  pollMs?: number;
}

export interface DeliveryWorker extends AsyncDisposable {
  wake(): void;
}

/** Their bodies are in memory together. */
const CLAIMED_AT_ONCE = 256;
const FORGOTTEN_EVERY_MS = 60_000;

/**
 * Delivers webhooks until it is disposed of, which drains: nothing is claimed any more, attempts under way end and are
 * recorded, and the promise resolves. Woken by `dueDeliveries`, by a slot that becomes free, else by the poll.
 */
export function startDeliveryWorker(platform: Platform, options: DeliveryWorkerOptions = {}): DeliveryWorker {
  return new DeliveryLoop(platform, options);
}

class DeliveryLoop implements DeliveryWorker {
  readonly #platform: Platform;
  readonly #courier: Courier;
  readonly #pollMs: number;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #unsubscribe: () => void;
  readonly #running: Promise<void>;
  #isWoken = false;
  #endSleep = () => {};
  #looksForForgottenAt = 0;

  constructor(platform: Platform, { pollMs = 1000, ...options }: DeliveryWorkerOptions) {
    this.#platform = platform;
    this.#courier = createCourier(platform, options);
    this.#pollMs = pollMs;
    this.#unsubscribe = platform.dueDeliveries.subscribe(() => this.wake());
    this.#running = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#endSleep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#courier.isClosing = true;
    this.#unsubscribe();
    this.wake();
    await this.#running;
    await Promise.all(this.#underWay);
    this.#courier[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    while (!this.#courier.isClosing) {
      this.#isWoken = false;
      const hasMore = await this.#step();
      if (!hasMore && !this.#isWoken) await this.#sleep();
    }
  }

  /** Faults, such as a database that is away, are logged; the next poll tries again. */
  async #step(): Promise<boolean> {
    try {
      await this.#resumeForgotten();
      const limit = Math.min(this.#courier.lanes.free, CLAIMED_AT_ONCE);
      if (limit === 0) return false;
      const { hasMore, finished } = await deliverDue(this.#courier, { limit });
      this.#underWay.add(finished);
      void finished.then(() => this.#underWay.delete(finished));
      return hasMore;
    } catch (error) {
      this.#platform.log.error({ err: error }, 'the delivery worker could not claim');
      return false;
    }
  }

  async #resumeForgotten(): Promise<void> {
    const now = this.#platform.clock.now();
    if (now < this.#looksForForgottenAt) return;
    await resumeForgotten(this.#platform);
    this.#looksForForgottenAt = now + FORGOTTEN_EVERY_MS;
  }

  async #sleep(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#pollMs);
    this.#endSleep = resolve;
    await promise;
    clearTimeout(timer);
    this.#endSleep = () => {};
  }
}
