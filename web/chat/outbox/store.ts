import type { Unsent } from './outbox.ts';

type KeptValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** What is unsent, kept in the browser under a name of its own each, so that two windows do not undo each other. */
export class OutboxStore {
  readonly #kept: KeptValues;
  readonly #prefix: string;
  readonly #changes: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

  /** @param changes where the browser tells what other windows changed */
  constructor(
    accountId: string,
    kept: KeptValues = localStorage,
    changes: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> = window,
  ) {
    this.#kept = kept;
    this.#changes = changes;
    this.#prefix = `parley-unsent:${accountId}:`;
  }

  readAll(): Unsent[] {
    return this.#keys()
      .map((key) => JSON.parse(this.#kept.getItem(this.#prefix + key) ?? '') as Unsent)
      .sort((one, other) => one.createdAt - other.createdAt);
  }

  write(unsent: Unsent): void {
    try {
      this.#kept.setItem(this.#prefix + unsent.key, JSON.stringify(unsent));
    } catch {
      // Storage is full or forbidden: it is sent all the same, as long as the page stands.
    }
  }

  remove(key: string): void {
    this.#kept.removeItem(this.#prefix + key);
  }

  clear(): void {
    for (const key of this.#keys()) this.remove(key);
  }

  /** Another window has sent it, or thrown it away. */
  onRemoved(removed: (key: string) => void): () => void {
    const listen = (event: Event) => {
      const { key, newValue } = event as StorageEvent;
      if (newValue === null && key?.startsWith(this.#prefix)) removed(key.slice(this.#prefix.length));
    };
    this.#changes.addEventListener('storage', listen);
    return () => this.#changes.removeEventListener('storage', listen);
  }

  #keys(): string[] {
    const names = Array.from({ length: this.#kept.length }, (_, i) => this.#kept.key(i) ?? '');
    return names
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length));
  }
}
