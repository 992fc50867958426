import { useSyncExternalStore } from 'react';
import { Watchers } from '../../ui/watchers.ts';

/** Things that a page shows of each conversation for a while, such as who is typing; in the order in which they began. */
export class ShownForAWhile<T> {
  readonly #ms: number;
  readonly #keyOf: (one: T) => string;
  readonly #watchers = new Watchers();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #nothing: readonly T[] = [];
  #shown: Readonly<Record<string, readonly T[]>> = {};

  /** @param keyOf tells the things of one conversation apart */
  constructor(ms: number, keyOf: (one: T) => string) {
    this.#ms = ms;
    this.#keyOf = keyOf;
  }

  /** Shows it, in the place of one with the same key, from now on for that time or until {@link end}. */
  show(conversationId: string, one: T): void {
    const key = this.#keyOf(one);
    const timer = `${conversationId} ${key}`;
    clearTimeout(this.#timers.get(timer));
    this.#timers.set(
      timer,
      setTimeout(() => this.end(conversationId, key), this.#ms),
    );
    const before = this.find(conversationId, key);
    if (before === one) return;
    const all = this.of(conversationId);
    this.#change(
      conversationId,
      before ? all.map((other) => (other === before ? one : other)) : [...all, one],
    );
  }

  end(conversationId: string, key: string): void {
    const timer = `${conversationId} ${key}`;
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
    const ended = this.find(conversationId, key);
    if (ended === undefined) return;
    const all = this.of(conversationId);
    this.#change(
      conversationId,
      all.filter((one) => one !== ended),
    );
  }

  find(conversationId: string, key: string): T | undefined {
    return this.of(conversationId).find((one) => this.#keyOf(one) === key);
  }

  of(conversationId: string): readonly T[] {
    return this.#shown[conversationId] ?? this.#nothing;
  }

  readonly subscribe = this.#watchers.subscribe;

  #change(conversationId: string, shown: readonly T[]): void {
    const { [conversationId]: _, ...rest } = this.#shown;
    this.#shown = shown.length > 0 ? { ...rest, [conversationId]: shown } : rest;
    this.#watchers.tell();
  }
}

/** All that is shown of a conversation. */
export function useShown<T>(shown: ShownForAWhile<T>, conversationId: string): readonly T[] {
  return useSyncExternalStore(shown.subscribe, () => shown.of(conversationId));
}
