import type { Tx } from '#platform/database.ts';
import type { WebhookDeps } from '../deps.ts';
import { deleteBreaker, findOpenBreakers, insertBreaker } from './queries.ts';

/** Consecutive failed attempts of one endpoint. */
export const FAILURES_TO_OPEN = 5;

/**
 * One worker's view of the circuit breakers. An endpoint with consecutive failed attempts gets one event at a
 * time until one succeeds (docs/decisions/0036-circuit-breaker.md). They are stored in the database, so that
 * they survive restarts and changes of workers; `refresh` reads the changes of others.
 */
export class Breakers {
  readonly #deps: WebhookDeps;
  readonly #failures = new Map<string, number>();
  #open = new Set<string>();
  /**
   * Incremented with each change of `#open`, so that a refresh in progress notices that it read too early.
   */
  #version = 0;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  /** How many attempts may be in progress at once; undefined when the breaker is closed. */
  allowance(appId: string): number | undefined {
    return this.#open.has(appId) ? 1 : undefined;
  }

  /** The applications whose breakers are open. */
  open(): string[] {
    return [...this.#open];
  }

  /**
   * Records the result of an attempt. Never rejects: the next refresh repairs failed writes.
   *
   * @returns true when that closed the breaker
   */
  note(appId: string, { isDelivered }: { isDelivered: boolean }): boolean | Promise<boolean> {
    if (isDelivered) {
      this.#failures.delete(appId);
      return this.#open.has(appId) && this.#closeNow(appId);
    }
    if (this.#open.has(appId)) return false;
    const failures = (this.#failures.get(appId) ?? 0) + 1;
    this.#failures.set(appId, failures);
    return failures >= FAILURES_TO_OPEN && this.#openNow(appId);
  }

  /** Reads which breakers others opened and closed. */
  async refresh(): Promise<void> {
    const version = this.#version;
    const open = await findOpenBreakers(this.#deps.db);
    if (version !== this.#version) return;
    for (const appId of this.#open) this.#failures.delete(appId);
    this.#open = new Set(open);
  }

  async #closeNow(appId: string): Promise<true> {
    this.#open.delete(appId);
    this.#version++;
    await this.#attempt((tx) => deleteBreaker(tx, appId));
    return true;
  }

  async #openNow(appId: string): Promise<false> {
    this.#open.add(appId);
    this.#version++;
    const openedAt = this.#deps.clock.now();
    await this.#attempt((tx) => insertBreaker(tx, { appId, openedAt }));
    this.#deps.log.info(
      { appId },
      'the endpoint of an application does not answer: its circuit breaker is open',
    );
    return false;
  }

  async #attempt(write: (tx: Tx) => Promise<void>): Promise<void> {
    try {
      await this.#deps.db.begin(write);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a circuit breaker could not be written');
    }
  }
}
