import { WaitingCallers } from './waiting-callers.ts';

export interface BackgroundLimitOptions {
  applies: () => boolean;
  /** How many may use a connection at once while it applies. */
  most: number;
  /** How long the others wait before they are refused. */
  waitMs: number;
}

/** Leaves connections to requests while work in the background would wait on all of them. First come, first served. */
export class BackgroundLimit {
  readonly #options: BackgroundLimitOptions;
  readonly #waiting = new WaitingCallers<void>();
  #running = 0;

  constructor(options: BackgroundLimitOptions) {
    this.#options = options;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { waitMs } = this.#options;
    // Whoever grants it counts it.
    if (this.#isFull) await this.#waiting.wait(waitMs, waitMs);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#grant();
    }
  }

  /** Called at regular intervals. */
  tick(): void {
    this.#waiting.refuseLate();
    this.#grant();
  }

  get #isFull(): boolean {
    return this.#running >= this.#options.most && this.#options.applies();
  }

  #grant(): void {
    while (this.#waiting.count > 0 && !this.#isFull) {
      this.#running++;
      this.#waiting.grant();
    }
  }
}
