/** Tells another part of this process to look again. Carries nothing: what there is to see is in the database. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  raise(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
