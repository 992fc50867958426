import type { ForwardMessage, Quote } from '#contract/chat.ts';
import type { ContentType, SentContent } from '#contract/messages.ts';

/** A message that the server has not taken yet. */
export interface Unsent {
  /** The `Idempotency-Key` of every try: however often it is sent, it is written once. */
  key: string;
  conversationId: string;
  /** Whom it is for: a person or bot, or a group. */
  target: { to: string } | { groupId: string; mentionedUserIds?: string[] };
  content: SentContent & { type: ContentType };
  /** Files that have to be uploaded before it is sent; until then the content names no file. See files.ts. */
  file?: { key: string; name: string; size: number };
  quote?: Quote;
  /** The message that it sends on; `content` is how it looks until then. */
  forwarded?: Pick<ForwardMessage, 'conversationId' | 'msgId' | 'isAnonymous' | 'albumId'>;
  createdAt: number;
  /** Whether a try was begun: the server may have it. */
  isTried: boolean;
  /** Why the server refused it; it waits for the person then. */
  fault?: string;
  /** Why the server wants it a little later; it goes by itself then. */
  delay?: string;
}

type KeptValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Unsent messages in the browser's storage, each under a key of its own, so that two windows do not overwrite each other. */
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
      .flatMap((key) => this.read(key) ?? [])
      .sort((one, other) => one.createdAt - other.createdAt);
  }

  read(key: string): Unsent | undefined {
    const kept = this.#kept.getItem(this.#prefix + key);
    return kept === null ? undefined : (JSON.parse(kept) as Unsent);
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
