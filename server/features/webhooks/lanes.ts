import { createWebhookAgent, type WebhookAgent } from '#platform/safe-fetch/agent.ts';
import type { Guard } from '#platform/safe-fetch/guard.ts';

export interface LaneLimits {
  /** Attempts under way at once, over all applications. */
  total: number;
  /** For one application, so that a receiver that takes its 10 s leaves the others theirs. */
  perApplication: number;
  /** Applications whose idle connections are kept. */
  kept: number;
}

export const LANE_LIMITS: LaneLimits = { total: 256, perApplication: 16, kept: 1000 };

interface Lane {
  agent: WebhookAgent;
  running: number;
  /** A receiver that let its time run out gets one attempt at a time until it answers again. */
  isSlow: boolean;
}

/** Who has how many attempts under way in this process, and their kept-alive connections. */
export class Lanes implements Disposable {
  readonly limits: LaneLimits;
  readonly #guard: Guard;
  readonly #lanes = new Map<string, Lane>();
  #running = 0;

  constructor(guard: Guard, limits: LaneLimits = LANE_LIMITS) {
    this.#guard = guard;
    this.limits = limits;
  }

  get free(): number {
    return this.limits.total - this.#running;
  }

  freeOf(appId: string): number {
    const lane = this.#lanes.get(appId);
    return lane ? this.#freeOf(lane) : this.limits.perApplication;
  }

  /** The applications that have less than the usual number of free slots, with what is left to them. */
  restricted(): Map<string, number> {
    const restricted = new Map<string, number>();
    for (const [appId, lane] of this.#lanes) {
      if (lane.running > 0 || lane.isSlow) restricted.set(appId, this.#freeOf(lane));
    }
    return restricted;
  }

  enter(appId: string): WebhookAgent {
    const lane = this.#lanes.get(appId) ?? this.#open();
    // Entered again, so that the first of the map is the one that was used longest ago.
    this.#lanes.delete(appId);
    this.#lanes.set(appId, lane);
    lane.running++;
    this.#running++;
    return lane.agent;
  }

  /** @returns true when somebody may have waited for the slot that is free now */
  leave(appId: string): boolean {
    const lane = this.#lanes.get(appId);
    if (!lane) return false;
    const wasFull = this.free <= 0 || this.#freeOf(lane) === 0;
    lane.running--;
    this.#running--;
    return wasFull;
  }

  noteTimeout(appId: string, hasTimedOut: boolean): void {
    const lane = this.#lanes.get(appId);
    if (lane) lane.isSlow = hasTimedOut;
  }

  [Symbol.dispose](): void {
    for (const lane of this.#lanes.values()) lane.agent[Symbol.dispose]();
    this.#lanes.clear();
  }

  #freeOf({ running, isSlow }: Lane): number {
    return Math.max(0, (isSlow ? 1 : this.limits.perApplication) - running);
  }

  #open(): Lane {
    if (this.#lanes.size >= this.limits.kept) this.#closeOldestIdle();
    const agent = createWebhookAgent(this.#guard, { maxIdleSockets: this.limits.perApplication });
    return { agent, running: 0, isSlow: false };
  }

  #closeOldestIdle(): void {
    for (const [appId, lane] of this.#lanes) {
      if (lane.running > 0) continue;
      lane.agent[Symbol.dispose]();
      this.#lanes.delete(appId);
      return;
    }
  }
}
