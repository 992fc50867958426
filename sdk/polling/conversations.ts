import { Turns } from '../turns.ts';

/** The limit of waiting work, so that a hanging conversation cannot fill the memory. */
const MOST_WAITING = 10_000;

/** Runs the work of different conversations in parallel, and that of each in order. */
export class Conversations {
  readonly #concurrency: number;
  readonly #turns = new Turns();
  /** Conversations that wait until fewer are running, in order of arrival. */
  readonly #ready: (() => void)[] = [];
  #running = 0;
  #waiting = 0;
  #isStopped = false;
  #waiters: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** @param work must never reject */
  add(key: string, work: () => Promise<void>): void {
    this.#waiting++;
    void this.#turns.run(key, () => this.#run(work));
  }

  /** Resolves when there is room for more. */
  async room(): Promise<void> {
    while (this.#waiting >= MOST_WAITING && !this.#isStopped) await this.#change();
  }

  /** Starts nothing more; resolves when the running work has finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#tell();
    while (this.#running > 0) await this.#change();
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.#running < this.#concurrency) this.#running++;
    else await new Promise<void>((start) => this.#ready.push(start));
    this.#waiting--;
    if (!this.#isStopped) await work();
    const next = this.#ready.shift();
    if (next) next();
    else this.#running--;
    this.#tell();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #tell(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
