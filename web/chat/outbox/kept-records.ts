import { keptOf } from '../../ui/session/kept.ts';

/** Where they are kept, and who tells of changes by other windows. */
export type Kept = [
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>,
  changes?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
];

/** Records of an account in the browser's storage, each under its own key, so that two windows do not overwrite each other. */
export class KeptRecords<T> {
  readonly #kept: NonNullable<Kept[0]>;
  readonly #changes: NonNullable<Kept[1]>;
  readonly #prefix: string;

  constructor(kind: 'draft' | 'unsent', accountId: string, ...[kept, changes]: Kept) {
    this.#kept = kept ?? localStorage;
    this.#changes = changes ?? globalThis;
    this.#prefix = keptOf(kind, accountId);
  }

  read(key: string): T | undefined {
    return parsed(this.#kept.getItem(this.#prefix + key));
  }

  write(key: string, record: T): void {
    try {
      this.#kept.setItem(this.#prefix + key, JSON.stringify(record));
    } catch {
      // Storage is full or forbidden: it is still in the page.
    }
  }

  remove(key: string): void {
    this.#kept.removeItem(this.#prefix + key);
  }

  names(): string[] {
    return Array.from({ length: this.#kept.length }, (_, i) => this.#kept.key(i) ?? '')
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length));
  }

  /** Tells of a record that another window has written or removed, until the returned function is called. */
  onChange(changed: (key: string, record: T | undefined) => void): () => void {
    const listen = (event: Event) => {
      const { key, newValue } = event as StorageEvent;
      if (key?.startsWith(this.#prefix)) changed(key.slice(this.#prefix.length), parsed(newValue));
    };
    this.#changes.addEventListener('storage', listen);
    return () => this.#changes.removeEventListener('storage', listen);
  }
}

function parsed<T>(text: string | null): T | undefined {
  return text === null ? undefined : JSON.parse(text);
}
