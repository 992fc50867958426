import type { Clock } from '../../clock.ts';
import type { Database } from '../../database.ts';

/** The interval between probes, because anybody may request the readiness check. */
const VALID_MS = 5_000;

/**
 * Whether the database takes writes: on a full disk, as a standby or set to read-only, it still answers
 * reads. Each probe creates a table of one page that is dropped with its transaction, so that it needs disk
 * space.
 */
export class WriteProbe {
  readonly #db: Database;
  readonly #clock: Clock;
  #tried: { at: number; answer: Promise<void> } | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @throws the database's error */
  check(): Promise<void> {
    const now = this.#clock.now();
    if (!this.#tried || now - this.#tried.at >= VALID_MS) this.#tried = { at: now, answer: this.#try() };
    return this.#tried.answer;
  }

  async #try(): Promise<void> {
    await this.#db`create temporary table write_probe on commit drop as select 1 as one`;
  }
}
