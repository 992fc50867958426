/** What is told to the open pages of a person, as one server-sent event. */
export interface LiveEvent {
  type: string;
  data: unknown;
}

type Listener = (event: LiveEvent) => void;

/** Tells open connections of this process what happened, after the commit. Nothing is kept: history is in the database. */
export class Live {
  readonly #listeners = new Map<string, Set<Listener>>();

  isListening(accountId: string): boolean {
    return this.#listeners.has(accountId);
  }

  publish(accountId: string, event: LiveEvent): void {
    for (const listener of this.#listeners.get(accountId) ?? []) listener(event);
  }

  /** Returns the function that ends the subscription. */
  subscribe(accountId: string, listener: Listener): () => void {
    let listeners = this.#listeners.get(accountId);
    if (!listeners) {
      listeners = new Set();
      this.#listeners.set(accountId, listeners);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(accountId) === listeners)
        this.#listeners.delete(accountId);
    };
  }
}
