import type { Clock } from '../../clock.ts';
import type { Database } from '../../database.ts';

/** Anybody may ask whether the service is ready: they do not cause more writes than this. */
const VALID_MS = 5_000;

/**
 * Whether the database takes writes: on a full disk, as a standby or set to read-only, it still answers reads. Each try
 * makes a table of a page that is gone with its transaction, so that the disk has to hold something more.
 */
export class WriteProbe {
  readonly #db: Database;
  readonly #clock: Clock;
  #tried: { at: number; answer: Promise<void> } | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @throws what the database said */
  check(): Promise<void> {
    const now = this.#clock.now();
    if (!this.#tried || now - this.#tried.at >= VALID_MS) this.#tried = { at: now, answer: this.#try() };
    return this.#tried.answer;
  }

  async #try(): Promise<void> {
    await this.#db`create temporary table write_probe on commit drop as select 1 as one`;
  }
}
