/**
 * Remembers which events were handled, so that a repeated delivery is not handled twice. Use one per bot. A store that
 * several processes share must make `claim` atomic, and release the claims of processes that died.
 */
export interface EventStore {
  /** `claimed`: handle it. `done`: it was already handled. `busy`: another handler is processing it. */
  claim(msgId: string): Promise<'claimed' | 'done' | 'busy'>;
  /** Marks an event as handled: later claims return `done`. */
  done(msgId: string): Promise<void>;
  /** Releases a claim: the next one succeeds. */
  release(msgId: string): Promise<void>;
}

/**
 * Remembers the latest events of one process in memory; they are lost when it exits.
 *
 * @example
 * const store = new MemoryEventStore({ size: 50_000 });
 * const echo = new Bot({ baseUrl, apiKey, store });
 */
export class MemoryEventStore implements EventStore {
  readonly #size: number;
  /** In order of arrival. */
  readonly #states = new Map<string, 'busy' | 'done'>();

  /** @param options `size`: how many events are remembered; defaults to 10,000 */
  constructor({ size = 10_000 }: { size?: number } = {}) {
    this.#size = size;
  }

  async claim(msgId: string): Promise<'claimed' | 'done' | 'busy'> {
    const state = this.#states.get(msgId);
    if (state) return state;
    this.#states.set(msgId, 'busy');
    for (const [oldest, its] of this.#states) {
      if (this.#states.size <= this.#size) break;
      if (its === 'done') this.#states.delete(oldest);
    }
    return 'claimed';
  }

  async done(msgId: string): Promise<void> {
    this.#states.set(msgId, 'done');
  }

  async release(msgId: string): Promise<void> {
    this.#states.delete(msgId);
  }
}
