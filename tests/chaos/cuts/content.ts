export const PAGE_BYTES = 8192;
const EMPTY_PAGE = Buffer.alloc(PAGE_BYTES);

/** Of something on a disk: what it was when it was last flushed, and what it has been since. */
export class States<T> {
  readonly #all: { value: T; since: number }[];

  constructor(flushed: T) {
    this.#all = [{ value: flushed, since: -Infinity }];
  }

  get all(): T[] {
    return this.#all.map(({ value }) => value);
  }

  /** When it became what it was then. */
  get moments(): number[] {
    return this.#all.map(({ since }) => since);
  }

  /** As programs see it. */
  get live(): T {
    return this.at(Infinity);
  }

  at(moment: number): T {
    return (this.#all.findLast(({ since }) => since <= moment) ?? this.#all[0])?.value as T;
  }

  set(value: T, since: number): void {
    this.#all.push({ value, since });
  }

  /** Covers what had been written when the flush began. */
  flush(begunAt: number): void {
    const flushed = this.#all.findLastIndex(({ since }) => since <= begunAt);
    this.#all.splice(0, flushed);
  }
}

/** What a power cut makes of a file: which size it leaves, and what of a page, from the states of both since the last flush. */
export interface Choice {
  size(states: number[]): number;
  page(states: Buffer[]): Buffer;
}

/** The content of a file. */
export class Content {
  readonly #size: States<number>;
  readonly #pages = new Map<number, States<Buffer>>();

  constructor(flushed = Buffer.alloc(0)) {
    this.#size = new States(flushed.length);
    for (let at = 0; at < flushed.length; at += PAGE_BYTES) {
      const page = Buffer.alloc(PAGE_BYTES);
      flushed.copy(page, 0, at);
      this.#pages.set(at / PAGE_BYTES, new States(page));
    }
  }

  get size(): number {
    return this.#size.live;
  }

  write(data: Buffer, at: number, now: number): void {
    for (let from = at; from < at + data.length; from += PAGE_BYTES - (from % PAGE_BYTES))
      this.#change(Math.floor(from / PAGE_BYTES), now, (page) =>
        data.copy(page, from % PAGE_BYTES, from - at),
      );
    this.extend(at + data.length, now);
  }

  extend(size: number, now: number): void {
    if (size > this.size) this.#size.set(size, now);
  }

  truncate(size: number, now: number): void {
    if (size === this.size) return;
    for (const number of this.#pages.keys())
      if ((number + 1) * PAGE_BYTES > size)
        this.#change(number, now, (page) => page.fill(0, Math.max(0, size - number * PAGE_BYTES)));
    this.#size.set(size, now);
  }

  flush(begunAt: number): void {
    this.#size.flush(begunAt);
    for (const page of this.#pages.values()) page.flush(begunAt);
  }

  after(choice: Choice): Buffer {
    const left = Buffer.alloc(choice.size(this.#size.all));
    for (const [number, { all }] of this.#pages)
      if (number * PAGE_BYTES < left.length) choice.page(all).copy(left, number * PAGE_BYTES);
    return left;
  }

  #change(number: number, now: number, change: (page: Buffer) => void): void {
    const states = this.#pages.get(number) ?? new States(EMPTY_PAGE);
    this.#pages.set(number, states);
    const page = Buffer.from(states.live);
    change(page);
    states.set(page, now);
  }
}
