import { setTimeout as pause } from 'node:timers/promises';
import { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { failAllOverdue } from '#features/webhooks/breakers/fail-overdue.ts';
import { type DeliveryStep, deliverDue, type StepCounts } from '#features/webhooks/delivery/deliver-due.ts';
import { PACE_MS } from '#features/webhooks/delivery/endpoint-queues.ts';
import { createSender, type Sender, type SenderOptions } from '#features/webhooks/delivery/sender.ts';
import { resumeForgotten } from '#features/webhooks/tasks/work.ts';
import type { Counter } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';

export interface DeliveryWorkerOptions extends SenderOptions {
  /** How long it sleeps at most: what other processes write, and what falls due, is found that late. */
  pollMs?: number;
}

export interface DeliveryWorker extends AsyncDisposable {
  wake(): void;
}

/** Their bodies are in memory together. */
const CLAIMED_AT_ONCE = 256;
const FORGOTTEN_EVERY_MS = 60_000;
const BREAKERS_EVERY_MS = 1_000;
/** A claim that found little leaves so much time for more to come: what it costs hardly depends on how much it finds. */
const MIN_STEP_MS = 5;
const NOTHING = { isFull: false, hasMore: false, isPaced: false };

type Step = Pick<DeliveryStep, 'isFull' | 'hasMore' | 'isPaced'>;

/**
 * Delivers webhooks until it is disposed of, which drains: nothing is claimed any more, attempts under way end and are
 * recorded, and the promise resolves. Woken by `dueDeliveries`, by a slot that becomes free, else by the poll.
 */
export function startDeliveryWorker(platform: Platform, options: DeliveryWorkerOptions = {}): DeliveryWorker {
  return new DeliveryLoop(platform, options);
}

class DeliveryLoop implements DeliveryWorker {
  readonly #platform: Platform;
  readonly #recorder: RequestRecorder;
  readonly #sender: Sender;
  readonly #pollMs: number;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #unsubscribe: () => void;
  readonly #running: Promise<void>;
  readonly #tending: Promise<void>;
  readonly #closing = new AbortController();
  readonly #outcomes: Counter;
  #isWoken = false;
  #endSleep = () => {};
  #looksForForgottenAt = 0;

  constructor(platform: Platform, { pollMs = 1000, ...options }: DeliveryWorkerOptions) {
    this.#platform = platform;
    this.#recorder = new RequestRecorder(platform);
    this.#sender = createSender({ ...platform, recorder: this.#recorder }, options);
    this.#pollMs = pollMs;
    this.#outcomes = platform.metrics.counter(
      'parley_webhook_attempts_total',
      'Claimed events, by what became of them.',
    );
    this.#unsubscribe = platform.dueDeliveries.subscribe(() => this.wake());
    this.#running = this.#run();
    this.#tending = this.#tendBreakers();
  }

  wake(): void {
    this.#isWoken = true;
    this.#endSleep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sender.isClosing = true;
    this.#closing.abort();
    this.#unsubscribe();
    this.wake();
    await this.#running;
    await Promise.all(this.#underWay);
    await this.#tending;
    await this.#sender.breakers.release();
    await this.#recorder[Symbol.asyncDispose]();
    this.#sender[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    while (!this.#sender.isClosing) {
      this.#isWoken = false;
      const shortest = pause(MIN_STEP_MS);
      const { isFull, hasMore, isPaced } = await this.#step();
      if (!isFull) await shortest;
      if (!hasMore && !this.#isWoken) await this.#sleep(isPaced ? PACE_MS : this.#pollMs);
    }
  }

  /** Faults, such as a database that is away, are logged; the next poll tries again. */
  async #step(): Promise<Step> {
    try {
      await this.#resumeForgotten();
      const limit = Math.min(this.#sender.queues.free, CLAIMED_AT_ONCE);
      if (limit === 0) return NOTHING;
      const { finished, ...step } = await deliverDue(this.#sender, { limit });
      this.#underWay.add(finished);
      void finished.then((counts) => {
        this.#underWay.delete(finished);
        this.#count(counts);
      });
      return step;
    } catch (error) {
      this.#platform.log.error({ err: error }, 'the delivery worker could not claim');
      return NOTHING;
    }
  }

  async #tendBreakers(): Promise<void> {
    const { breakers } = this.#sender;
    while (!this.#sender.isClosing) {
      try {
        await breakers.refresh();
        const failed = await failAllOverdue(this.#sender);
        if (failed > 0) this.#outcomes.add({ outcome: 'circuit_open' }, failed);
      } catch (error) {
        this.#platform.log.error({ err: error }, 'the circuit breakers could not be looked after');
      }
      await pause(BREAKERS_EVERY_MS, undefined, this.#closing).catch(() => {});
    }
  }

  #count(counts: StepCounts): void {
    for (const [outcome, count] of Object.entries(counts)) this.#outcomes.add({ outcome }, count);
  }

  async #resumeForgotten(): Promise<void> {
    const now = this.#platform.clock.now();
    if (now < this.#looksForForgottenAt) return;
    await resumeForgotten(this.#platform);
    this.#looksForForgottenAt = now + FORGOTTEN_EVERY_MS;
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#endSleep = resolve;
    await promise;
    clearTimeout(timer);
    this.#endSleep = () => {};
  }
}
