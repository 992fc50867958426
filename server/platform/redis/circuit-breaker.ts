import { unavailable } from '../errors.ts';

const TICK_MS = 250;
/** Including the rest of the request, the response takes at most 2 s (security design). */
const TIMEOUT_TICKS = 4;
/** For the log, since clients are told no more than that the service is unavailable. */
const AWAY = new Error('Redis does not answer');

export interface CircuitBreakerOptions {
  ask: () => Promise<unknown>;
  /** @param error why it does not answer */
  onChange: (isAnswering: boolean, error?: Error) => void;
}

interface Call {
  sinceTick: number;
  refuse: () => void;
}

/**
 * A circuit breaker: once a call timed out or failed, every further call is refused at once, until a probe is
 * answered. Counts ticks instead of time, so that a pause of the process does not count.
 */
export class CircuitBreaker implements Disposable {
  readonly #options: CircuitBreakerOptions;
  readonly #calls = new Set<Call>();
  readonly #ticking: NodeJS.Timeout;
  #ticks = 0;
  #isAnswering = true;
  #isAsking = false;

  constructor(options: CircuitBreakerOptions) {
    this.#options = options;
    this.#ticking = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  wait<T>(call: () => Promise<T>): Promise<T> {
    return this.#isAnswering ? this.#wait(call) : Promise.reject(unavailable('service.unavailable', AWAY));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#ticking);
    for (const { refuse } of this.#calls) refuse();
  }

  #wait<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting: Call = {
        sinceTick: this.#ticks,
        refuse: () => reject(unavailable('service.unavailable', AWAY)),
      };
      this.#calls.add(waiting);
      call().then(
        (answer) => {
          this.#calls.delete(waiting);
          resolve(answer);
        },
        (error) => {
          this.#calls.delete(waiting);
          this.#change(false, error);
          reject(error);
        },
      );
    });
  }

  #tick(): void {
    this.#ticks++;
    for (const call of this.#calls) {
      if (this.#ticks - call.sinceTick <= TIMEOUT_TICKS) break;
      this.#calls.delete(call);
      call.refuse();
      this.#change(false, AWAY);
    }
    if (!this.#isAnswering && !this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const isAnswered = await this.#wait(this.#options.ask).then(
      () => true,
      () => false,
    );
    this.#isAsking = false;
    if (isAnswered) this.#change(true);
  }

  #change(isAnswering: boolean, error?: Error): void {
    if (this.#isAnswering === isAnswering) return;
    this.#isAnswering = isAnswering;
    this.#options.onChange(isAnswering, error);
  }
}
