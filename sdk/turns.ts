/** Runs the work of each key in order, within one process. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const turn = result.catch(() => undefined);
    this.#last.set(key, turn);
    return result.finally(() => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    });
  }
}
