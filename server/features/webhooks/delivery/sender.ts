import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '#contract/limits.ts';
import { Breakers } from '../breakers.ts';
import type { WebhookDeps } from '../deps.ts';
import type { Settlement, Turn } from '../queries.ts';
import { Backlogs } from './backlogs/backlogs.ts';
import { EndpointQueues, type QueueLimits } from './endpoint-queues.ts';
import { InFlight } from './in-flight.ts';
import { EVERYTHING, type Ownership } from './leases.ts';
import { settleBatch } from './settle.ts';

/**
 * With this many attempts in progress, outcomes are collected for a moment, because each transaction has a
 * fixed cost.
 */
const MANY_UNDER_WAY = 64;
const GATHER_MS = 4;
const MOST_AT_ONCE = 512;

interface Waiting {
  settlement: Settlement;
  resolve: (isSettled: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Records outcomes of attempts in batches, one transaction after another; on Citus per shard. Each transaction
 * takes all collected ones: events without a record are sent again after a crash.
 */
class Settling {
  readonly #deps: WebhookDeps;
  readonly #underWay: { readonly size: number };
  readonly #isOnlyWorker: boolean;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(deps: WebhookDeps, underWay: { readonly size: number }, isOnlyWorker: boolean) {
    this.#deps = deps;
    this.#underWay = underWay;
    this.#isOnlyWorker = isOnlyWorker;
  }

  /** Resolves to false if another attempt was recorded since the claim. */
  submit(settlement: Settlement): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const shard = this.#deps.shards.of(settlement.delivery.bucket);
      const waiting = this.#waiting.get(shard);
      if (waiting) {
        waiting.push({ settlement, resolve, reject });
        return;
      }
      this.#waiting.set(shard, [{ settlement, resolve, reject }]);
      void this.#drain(shard);
    });
  }

  async #drain(shard: string): Promise<void> {
    const waiting = this.#waiting.get(shard) as Waiting[];
    let gathered = this.#gather();
    while (waiting.length > 0) {
      await gathered;
      // While these are recorded, the next ones are collected.
      gathered = this.#gather();
      await this.#record(waiting.splice(0, MOST_AT_ONCE));
    }
    this.#waiting.delete(shard);
  }

  #gather(): Promise<void> {
    return this.#underWay.size < MANY_UNDER_WAY ? endOfTurn() : pause(GATHER_MS);
  }

  async #record(batch: Waiting[]): Promise<void> {
    try {
      const settlements = batch.map(({ settlement }) => settlement);
      const settled = await settleBatch(this.#deps, settlements, this.#isOnlyWorker);
      for (const { settlement, resolve } of batch) resolve(settled.has(settlement.delivery.deliveryId));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

export interface SenderOptions {
  /** The timeout of one whole attempt; the contract's 10 s except in tests. */
  deadlineMs?: number;
  queues?: QueueLimits;
  /** Unless given, it sends for all applications. */
  ownership?: Ownership;
}

/** The state of one worker process between steps. */
export interface Sender extends WebhookDeps, Disposable {
  readonly deadlineMs: number;
  readonly queues: EndpointQueues;
  readonly backlogs: Backlogs;
  /** The events that it is sending, with the application of each: they are still in the queue. */
  readonly underWay: Map<string, string>;
  /** Those that ended since the current claim began: it may have read them before they were recorded. */
  readonly left: Set<string>;
  readonly inFlight: InFlight;
  readonly breakers: Breakers;
  /** The applications for which it sends. */
  readonly ownership: Ownership;
  /**
   * Records the outcome of an attempt, several in one transaction; false if another one was recorded since the
   * claim.
   */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  /** The application that was served last, when there was more to do than one step could. */
  after: Turn;
  /** Nothing in the queue waits for a slot, as far as the last claim could see. */
  isQueueEmpty: boolean;
  /** Events that are claimed from now on are given back instead of attempted. */
  isClosing: boolean;
}

/** Unrecorded events at fast receivers: how many may be sent twice after a crash. */
const IN_FLIGHT = 280;

/** A position before every application. */
export const FIRST_TURN: Turn = { appBucket: 0, appId: '' };

export function createSender(platform: WebhookDeps, options: SenderOptions = {}): Sender {
  const breakers = new Breakers(platform);
  const queues = new EndpointQueues({ ...platform, breakers }, options.queues);
  const underWay = new Map<string, string>();
  const inFlight = new InFlight(platform.clock, IN_FLIGHT);
  const ownership = options.ownership ?? EVERYTHING;
  const settling = new Settling(platform, underWay, ownership === EVERYTHING);
  return {
    ...platform,
    deadlineMs: options.deadlineMs ?? LIMITS.webhookTimeoutMs,
    queues,
    backlogs: new Backlogs(platform.clock, queues),
    underWay,
    left: new Set(),
    inFlight,
    breakers,
    ownership,
    settle: (settlement) => settling.submit(settlement),
    after: FIRST_TURN,
    isQueueEmpty: false,
    isClosing: false,
    [Symbol.dispose]() {
      queues[Symbol.dispose]();
      inFlight[Symbol.dispose]();
    },
  };
}
