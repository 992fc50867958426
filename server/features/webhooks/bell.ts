/** Wakes one who waits; rung while nobody waits, it wakes the next at once. */
export class Bell {
  #isRung = false;
  #wake = () => {};

  get isRung(): boolean {
    return this.#isRung;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  /** Without a time, until it is rung. */
  async wait(ms?: number): Promise<void> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    }
    this.#isRung = false;
  }
}
