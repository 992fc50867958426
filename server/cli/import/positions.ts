import type { Position } from './items.ts';

/** When each message of a chat was sent, in 16 bytes a message: answers name the message alone. */
export class Positions {
  #ids = new Float64Array(1024);
  #times = new Float64Array(1024);
  #count = 0;

  add(id: number, at: number): void {
    if (this.#count === this.#ids.length) {
      this.#ids = grown(this.#ids);
      this.#times = grown(this.#times);
    }
    this.#ids[this.#count] = id;
    this.#times[this.#count++] = at;
  }

  /** They are in the order of their ids. */
  find(id: number | null | undefined): Position | undefined {
    if (id == null) return undefined;
    let [from, to] = [0, this.#count];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#ids[middle] as number) < id) from = middle + 1;
      else to = middle;
    }
    return from < this.#count && this.#ids[from] === id
      ? { id: String(id), at: this.#times[from] as number, order: Math.max(id, 0) }
      : undefined;
  }
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
