import { setTimeout as pause } from 'node:timers/promises';
import type { Counter } from '#platform/monitoring/metrics.ts';
import { restMs } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { failAllOverdue } from '../breakers/fail-overdue.ts';
import { resumeForgotten } from '../tasks/work.ts';
import { deliverDue, type StepCounts } from './deliver-due.ts';
import { PACE_MS } from './endpoint-queues.ts';
import { Leases } from './leases.ts';
import { createSender, type Sender, type SenderOptions, type SenderPlatform } from './sender.ts';
import { untilDue } from './until-due.ts';

/** Their bodies are in memory at the same time. */
const MAX_CLAIMED = 512;
/** The pause after a claim that found little: its cost hardly depends on the number of events. */
const MIN_CLAIM_MS = 5;
/** With this many attempts in progress, a longer pause costs nothing: there is enough to do. */
const MANY_UNDER_WAY = 256;
const MIN_CLAIM_OF_MANY_MS = 25;

/** The delivery of webhooks by one worker process, in steps. Disposing waits for the attempts in progress. */
export class Delivery implements AsyncDisposable {
  readonly #sender: Sender;
  /** Set if it is not the only worker. */
  readonly #leases: Leases | undefined;
  readonly #outcomes: Counter;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    platform: SenderPlatform & Pick<Platform, 'metrics' | 'redis' | 'random'>,
    options?: SenderOptions,
  ) {
    const { redis, random } = platform;
    this.#leases = redis && new Leases({ redis, random });
    this.#sender = createSender(platform, { ...(this.#leases && { ownership: this.#leases }), ...options });
    this.#outcomes = platform.metrics.counter(
      'parley_webhook_attempts_total',
      'Claimed events, by what became of them.',
    );
  }

  /** Stops claiming, and returns claimed events whose attempt has not begun. */
  drain(): void {
    this.#sender.isClosing = true;
  }

  /**
   * Claims due events and begins to send them. Returns after how many milliseconds to claim again, if that is
   * soon.
   */
  async claim(): Promise<number | undefined> {
    const { queues, underWay } = this.#sender;
    const limit = Math.min(queues.free, MAX_CLAIMED);
    if (this.#sender.isClosing || !queues.hasRoom) return undefined;
    const shortest = pause(underWay.size < MANY_UNDER_WAY ? MIN_CLAIM_MS : MIN_CLAIM_OF_MANY_MS);
    const { finished, isFull, hasMore, isPaced, isIdle } = await deliverDue(this.#sender, { limit });
    this.#underWay.add(finished);
    void finished.then((counts) => {
      this.#underWay.delete(finished);
      this.#count(counts);
    });
    if (!isFull) await shortest;
    if (hasMore) return 0;
    if (isPaced) return PACE_MS;
    return isIdle ? untilDue(this.#sender) : undefined;
  }

  /** The applications to which it is sending. */
  busy(): string[] {
    return [...new Set(this.#sender.underWay.values())];
  }

  /**
   * Renews the leases of its applications, and takes over those whose worker died; true if there are new
   * ones.
   */
  async renewLeases(): Promise<boolean> {
    return (await this.#leases?.renew(this.busy())) ?? false;
  }

  /**
   * Reads which circuit breakers are open, and counts overdue attempts behind those of this process as
   * failed. Returns after how many milliseconds to do so again, if not soon.
   */
  async tendBreakers(): Promise<number | undefined> {
    const { breakers, shards } = this.#sender;
    await breakers.refresh();
    const failed = await failAllOverdue(this.#sender);
    if (failed > 0) this.#count({ circuit_open: failed });
    return breakers.open().length > 0 ? undefined : restMs(shards);
  }

  resumeForgotten(): Promise<void> {
    return resumeForgotten(this.#sender);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drain();
    await Promise.all(this.#underWay);
    await this.#leases?.leave();
    this.#sender[Symbol.dispose]();
  }

  #count(counts: StepCounts | { circuit_open: number }): void {
    for (const [outcome, count] of Object.entries(counts)) this.#outcomes.add({ outcome }, count);
  }
}
