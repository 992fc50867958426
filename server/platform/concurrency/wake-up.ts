/** Wakes up the waiter; if there is none, the next wait ends at once. */
export class WakeUp {
  #isRequested = false;
  #wake = () => {};

  get isRequested(): boolean {
    return this.#isRequested;
  }

  request(): void {
    this.#isRequested = true;
    this.#wake();
  }

  /** Without `ms`, waits until the next wake-up. */
  async wait(ms?: number): Promise<void> {
    if (!this.#isRequested && ms !== 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    }
    this.#isRequested = false;
  }
}
