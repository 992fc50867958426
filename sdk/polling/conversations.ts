/** Work that waits for earlier work of its conversation. */
interface Conversation {
  waiting: (() => Promise<void>)[];
  isRunning: boolean;
}

/** The limit of waiting work, so that a hanging conversation cannot fill the memory. */
const MOST_WAITING = 10_000;

/** Runs the work of different conversations in parallel, and that of each in order. */
export class Conversations {
  readonly #concurrency: number;
  readonly #all = new Map<string, Conversation>();
  /** Conversations with work that is not running, in order of arrival. */
  readonly #ready = new Set<string>();
  #running = 0;
  #waiting = 0;
  #isStopped = false;
  #waiters: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** @param work must never reject */
  add(key: string, work: () => Promise<void>): void {
    const conversation = this.#all.get(key) ?? { waiting: [], isRunning: false };
    this.#all.set(key, conversation);
    conversation.waiting.push(work);
    this.#waiting++;
    if (!conversation.isRunning) this.#ready.add(key);
    this.#start();
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

  #start(): void {
    for (const key of this.#ready) {
      if (this.#isStopped || this.#running >= this.#concurrency) return;
      this.#ready.delete(key);
      void this.#run(key, this.#all.get(key) as Conversation);
    }
  }

  async #run(key: string, conversation: Conversation): Promise<void> {
    this.#running++;
    this.#waiting--;
    conversation.isRunning = true;
    await conversation.waiting.shift()?.();
    conversation.isRunning = false;
    this.#running--;
    if (conversation.waiting.length > 0) this.#ready.add(key);
    else this.#all.delete(key);
    this.#start();
    this.#tell();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #tell(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
