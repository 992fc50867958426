import { privateConversationId } from '#platform/ids.ts';

/** The ids that are others here: of people who had an account, and of their private conversations. */
export class IdsHere {
  readonly #accounts = new Map<string, string>();
  readonly #all = new Map<string, string>();
  /** Accounts that were deleted, here or there, when they were looked at. */
  readonly deleted = new Set<string>();
  readonly bots = new Set<string>();
  /** Private conversations of which nobody is left who could read them, by their ids here. */
  readonly closed = new Set<string>();

  /** By the ids there. */
  get accounts(): ReadonlyMap<string, string> {
    return this.#accounts;
  }

  add(there: string, here: string): void {
    this.#accounts.set(there, here);
    this.#all.set(there, here);
  }

  /** A private conversation is named after its two accounts. */
  addConversation(there: string, one: string, other: string): void {
    const sides = [this.#of(one), this.#of(other)] as const;
    if (this.#accounts.has(one) || this.#accounts.has(other))
      this.#all.set(there, privateConversationId(...sides));
    if (sides.every((id) => this.deleted.has(id) || this.bots.has(id)))
      this.closed.add(this.translate(there));
  }

  #of(accountId: string): string {
    return this.#accounts.get(accountId) ?? accountId;
  }

  /** The same value with the ids that it has here, wherever they stand in it. */
  translate<T>(value: T): T {
    return this.#all.size === 0 ? value : (this.#translated(value) as T);
  }

  #translated(value: unknown): unknown {
    if (typeof value === 'string') return this.#all.get(value) ?? value;
    if (Array.isArray(value)) return value.map((one) => this.#translated(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#translated(one)]));
  }
}
