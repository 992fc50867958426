import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '#platform/platform.ts';
import type { Settlement } from '../queries.ts';
import { settleBatch } from './settle.ts';

/**
 * With this many attempts in progress, outcomes are collected for a moment, because each transaction has a
 * fixed cost.
 */
const MANY_UNDER_WAY = 64;
const GATHER_MS = 4;
const MOST_AT_ONCE = 512;

type Deps = Pick<Platform, 'db' | 'shards'>;

interface Waiting {
  settlement: Settlement;
  resolve: (isSettled: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Records outcomes of attempts in batches, one transaction after another; on Citus per shard. Each transaction
 * takes all collected ones: events without a record are sent again after a crash.
 */
export class Settling {
  readonly #deps: Deps;
  readonly #underWay: { readonly size: number };
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(deps: Deps, underWay: { readonly size: number }) {
    this.#deps = deps;
    this.#underWay = underWay;
  }

  /** Resolves to false if the event has changed since the claim. */
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
    while (waiting.length > 0) {
      await (this.#underWay.size < MANY_UNDER_WAY ? endOfTurn() : pause(GATHER_MS));
      await this.#record(waiting.splice(0, MOST_AT_ONCE));
    }
    this.#waiting.delete(shard);
  }

  async #record(batch: Waiting[]): Promise<void> {
    try {
      const settlements = batch.map(({ settlement }) => settlement);
      const settled = await settleBatch(this.#deps, settlements);
      for (const { settlement, resolve } of batch) resolve(settled.has(settlement.delivery.deliveryId));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
