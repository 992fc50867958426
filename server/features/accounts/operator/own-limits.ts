import type { PersonLimits } from '#contract/operate/people.ts';
import type { Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperatorAccountDeps } from '../deps.ts';
import { selectLimits, updateLimits } from './queries.ts';

/** How late a change by operators takes effect at another process. */
const KEPT_MS = 10_000;
const MOST_KEPT = 10_000;

/** The limits that operators set for people, cached for a while. */
export class OwnLimits {
  readonly #deps: Pick<Platform, 'db' | 'clock'>;
  /** In the order in which they were read. */
  readonly #read = new Map<string, { at: number; limits: Promise<PersonLimits | undefined> }>();

  constructor(deps: Pick<Platform, 'db' | 'clock'>) {
    this.#deps = deps;
  }

  /** Undefined if the person has only the server's limits. */
  find(accountId: string): Promise<PersonLimits | undefined> {
    const at = this.#deps.clock.now();
    const known = this.#read.get(accountId);
    if (known && at - known.at < KEPT_MS) return known.limits;
    const limits = selectLimits(this.#deps.db, accountId);
    limits.catch(() => this.#read.delete(accountId));
    this.#read.delete(accountId);
    this.#read.set(accountId, { at, limits });
    const [oldest] = this.#read.keys();
    if (this.#read.size > MOST_KEPT && oldest !== undefined) this.#read.delete(oldest);
    return limits;
  }

  forget(accountId: string): void {
    this.#read.delete(accountId);
  }
}

/** Omitted limits revert to the server's. @throws ApiError 404 */
export async function changeLimits(
  { db }: OperatorAccountDeps,
  accountId: string,
  { limits, extraWrites }: { limits: PersonLimits; extraWrites: (tx: Tx) => Promise<void> },
): Promise<void> {
  const given = Object.keys(limits).length > 0 ? limits : null;
  await db.begin(async (tx) => {
    if (!(await updateLimits(tx, accountId, given))) throw notFound('account.unknown');
    await extraWrites(tx);
  });
}
