import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import {
  deleteBreaker,
  findOpenBreakers,
  insertBreaker,
  releaseBreakers,
  updateBreakersOwned,
} from './queries.ts';

/** Failed attempts of one endpoint, one after another. */
export const FAILURES_TO_OPEN = 5;
/** For so long the endpoints of a worker that died go without a probe. */
const OWNED_MS = 15_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'log'>;

/**
 * The circuit breakers of the endpoints, as one worker knows them. An endpoint whose attempts fail one after another is
 * sent one event at a time, by one worker, until it takes one (docs/decisions/0036-circuit-breaker.md). The database holds
 * them, so that workers agree and a restart forgets none; what other workers did is learned by `refresh`.
 */
export class Breakers {
  /** Of this worker. */
  readonly owner: string;
  readonly #deps: Deps;
  readonly #failures = new Map<string, number>();
  /** Open ones, and whether it is this worker that probes. */
  #open = new Map<string, boolean>();
  /** Another one after each change of `#open`, so that a refresh under way notices that it read too early. */
  #version = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.owner = deps.random.bytes(12).toString('base64url');
  }

  /** How many attempts may be under way at once; undefined when the breaker is closed. */
  allowance(appId: string): number | undefined {
    const isOwned = this.#open.get(appId);
    return isOwned === undefined ? undefined : Number(isOwned);
  }

  /** The applications whose breakers are open. */
  open(): string[] {
    return [...this.#open.keys()];
  }

  /** Those of them that this worker probes. */
  owned(): string[] {
    return this.open().filter((appId) => this.#open.get(appId));
  }

  /**
   * Learns how an attempt ended. Never rejects: what the database did not take, the next refresh finds.
   *
   * @returns true when that closed the breaker
   */
  async note(appId: string, { isDelivered }: { isDelivered: boolean }): Promise<boolean> {
    if (isDelivered) {
      this.#failures.delete(appId);
      if (!this.#open.has(appId)) return false;
      this.#set(appId, undefined);
      await this.#attempt((tx) => deleteBreaker(tx, appId));
      return true;
    }
    if (this.#open.has(appId)) return false;
    const failures = (this.#failures.get(appId) ?? 0) + 1;
    this.#failures.set(appId, failures);
    if (failures >= FAILURES_TO_OPEN) await this.#openNow(appId);
    return false;
  }

  /** Keeps what this worker owns, takes over what nobody owns any more, and learns what others opened and closed. */
  async refresh(): Promise<void> {
    const { db, clock } = this.#deps;
    const version = this.#version;
    const rows = await findOpenBreakers(db);
    const now = clock.now();
    const taken = rows.filter(({ owner, ownedUntil }) =>
      owner === this.owner ? ownedUntil - now < OWNED_MS / 2 : ownedUntil <= now,
    );
    const owned = new Set(rows.filter(({ owner }) => owner === this.owner).map(({ appId }) => appId));
    for (const { appId } of taken) owned.delete(appId);
    for (const appId of await this.#own(
      taken.map(({ appId }) => appId),
      now,
    ))
      owned.add(appId);
    if (version !== this.#version) return;
    for (const appId of this.#open.keys()) this.#failures.delete(appId);
    this.#open = new Map(rows.map(({ appId }) => [appId, owned.has(appId)]));
  }

  /** Lets other workers probe at once. */
  async release(): Promise<void> {
    if (this.owned().length > 0) await this.#attempt((tx) => releaseBreakers(tx, this.owner));
  }

  async #openNow(appId: string): Promise<void> {
    const openedAt = this.#deps.clock.now();
    const ownedUntil = openedAt + OWNED_MS;
    this.#set(appId, false);
    const isOwned = await this.#attempt((tx) =>
      insertBreaker(tx, { appId, owner: this.owner, openedAt, ownedUntil }),
    );
    if (this.#open.has(appId)) this.#set(appId, isOwned ?? false);
    this.#deps.log.info(
      { appId },
      'the endpoint of an application does not answer: its circuit breaker is open',
    );
  }

  async #own(appIds: string[], now: number): Promise<string[]> {
    if (appIds.length === 0) return [];
    const claim = { owner: this.owner, ownedUntil: now + OWNED_MS, now };
    return this.#deps.db.begin((tx) => updateBreakersOwned(tx, appIds, claim));
  }

  #set(appId: string, isOwned: boolean | undefined): void {
    if (isOwned === undefined) this.#open.delete(appId);
    else this.#open.set(appId, isOwned);
    this.#version++;
  }

  async #attempt<T>(write: (tx: Tx) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#deps.db.begin(write);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a circuit breaker could not be written');
      return undefined;
    }
  }
}
