import { unavailable } from '../errors.ts';
import type { Connection } from './connection.ts';

export interface PoolOptions {
  size: number;
  /** How many ticks of the pool's watch somebody waits for a free connection before being refused with 503. */
  patienceTicks: number;
  tickMs: number;
}

interface Use {
  connection: Connection;
  startedAtTick: number;
}

interface Waiting {
  grant: (connection: Connection) => void;
  refuse: (error: Error) => void;
  since: number;
}

/**
 * Connections that are handed to one user at a time, first come, first served. No statement queues behind that of
 * somebody else on the same connection, and nobody waits for long: a full pool answers.
 */
export class Pool {
  readonly #open: () => Connection;
  readonly #options: PoolOptions;
  readonly #idle: Connection[] = [];
  readonly #used = new Set<Use>();
  readonly #waiting: Waiting[] = [];
  #isEnding = false;
  /** Ticks, not times: a process that was held up for seconds has not kept anybody waiting at the database. */
  #tick = 0;
  #watch: NodeJS.Timeout | undefined;
  #onIdle = () => {};

  constructor(open: () => Connection, options: PoolOptions) {
    this.#open = open;
    this.#options = options;
  }
}
