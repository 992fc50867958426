import type { ForwardMessage, Quote } from '#contract/chat.ts';
import type { ContentType, SentContent } from '#contract/messages.ts';
import { keptOf } from '../../ui/session/kept.ts';

/** A message that the server has not accepted yet. */
export interface Unsent {
  /** The `Idempotency-Key` of every attempt: however often it is sent, it is stored once. */
  key: string;
  conversationId: string;
  /** The recipient: a person or bot, or a group. */
  target: { to: string } | { groupId: string; mentionedUserIds?: string[] };
  content: SentContent & { type: ContentType };
  /** A file to upload before sending; until then, the content has no URL for it. See files.ts. */
  file?: { key: string; name: string; size: number };
  quote?: Quote;
  /** The forwarded message; `content` is its appearance until it is sent. */
  forwarded?: Pick<ForwardMessage, 'conversationId' | 'msgId' | 'isAnonymous' | 'albumId'>;
  createdAt: number;
  /** Whether an attempt was made: the server may have it. */
  isTried: boolean;
  /** Why the server refused it; it then waits for the person. */
  fault?: string;
  /** Why the server asked to wait; it is then retried automatically. */
  delay?: string;
}

type KeptValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Unsent messages in the browser's storage, each under its own key, so that two windows do not overwrite each other. */
export class OutboxStore {
  readonly #kept: KeptValues;
  readonly #prefix: string;
  readonly #changes: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

  /** @param changes the source of storage events from other windows */
  constructor(
    accountId: string,
    kept: KeptValues = localStorage,
    changes: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> = window,
  ) {
    this.#kept = kept;
    this.#changes = changes;
    this.#prefix = keptOf('unsent', accountId);
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
      // If storage is full or forbidden, it is still sent while the page is open.
    }
  }

  remove(key: string): void {
    this.#kept.removeItem(this.#prefix + key);
  }

  /** Another window has sent or discarded it. */
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
