/**
 * Holds items that are added and removed thousands of times a second, such as requests in progress. A Map or
 * Set would burden the garbage collector: V8 replaces the table of a Map after a number of deletions, and each
 * old table points to the next one. Once the first of them is in the old generation, all later ones are kept,
 * with everything in them, until the next full collection.
 */
export class Slots<T> {
  readonly #items: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** Returns the slot by which the item is removed. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#items.length;
    this.#items[slot] = item;
    return slot;
  }

  remove(slot: number): void {
    if (this.#items[slot] === undefined) return;
    this.#items[slot] = undefined;
    this.#free.push(slot);
  }

  *[Symbol.iterator](): Generator<[slot: number, item: T]> {
    for (const [slot, item] of this.#items.entries()) if (item !== undefined) yield [slot, item];
  }
}
