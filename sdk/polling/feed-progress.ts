/**
 * The progress of a bot in its feed. Events do not finish in the order in which they started, so some before the last one may
 * still be open.
 */
export class FeedProgress {
  /** In the order of the feed. */
  readonly #open: Set<number>;
  /** Those of them that an earlier run started; the events between them were handled then. */
  readonly #again: Set<number>;
  #last: number | undefined;

  /** @param text of an earlier run; by default, it starts at the position stored by the service */
  constructor(text?: string) {
    const [last, ...open] = text?.split(/[ !]+/).map(Number) ?? [];
    if (last !== undefined && !/^\d{1,15}( !\d{1,15})*$/.test(text ?? '')) {
      throw new TypeError(`this is no cursor of a feed: ${text}`);
    }
    this.#last = last;
    this.#open = new Set(open);
    this.#again = new Set(open);
  }

  /** The position up to which everything was handled; undefined while nothing is known. */
  get upTo(): number | undefined {
    const [first] = this.#open;
    return first === undefined ? this.#last : first - 1;
  }

  /** The position after which a stream continues. */
  get after(): number | undefined {
    const [first] = this.#again;
    return first === undefined ? this.#last : first - 1;
  }

  /** Everything up to a position, except for those after the `!`. */
  get text(): string {
    return [String(this.#last ?? 0), ...this.#open].join(' !');
  }

  /** Whether the event at this position is to be handled; it is open from now on. */
  begin(position: number): boolean {
    if (this.#again.delete(position)) return true;
    if (this.#last !== undefined && position <= this.#last) return false;
    this.#last = position;
    this.#open.add(position);
    // Events that an earlier run left open and that are no longer in the feed have expired.
    for (const missing of this.#again) this.#open.delete(missing);
    this.#again.clear();
    return true;
  }

  end(position: number): void {
    this.#open.delete(position);
  }
}
