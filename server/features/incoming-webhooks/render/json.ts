export type JsonObject = Readonly<Record<string, unknown>>;

/** Several times what fits into a message, since marks and entities take more space than what they show. */
const MAX_TEXT = 20_000;
const MAX_TEXTS = 40_000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of untrusted JSON: fields that are missing or have another type count as empty. */
export class Fields {
  readonly #values: JsonObject;
  /** How much text may still be read of the whole post: what is too long to be shown is not rendered. */
  readonly #unread: { characters: number };

  constructor(values: JsonObject, unread = { characters: MAX_TEXTS }) {
    this.#values = values;
    this.#unread = unread;
  }

  fields(name: string): Fields {
    const value = this.#valueOf(name);
    return new Fields(isObject(value) ? value : {}, this.#unread);
  }

  /** The objects of a list, at most as many as are shown. */
  list(name: string, limit = 50): Fields[] {
    const objects = this.#entriesOf(name).slice(0, limit).filter(isObject);
    return objects.map((one) => new Fields(one, this.#unread));
  }

  /** The lists of a list. */
  rows(name: string): Fields[][] {
    const rows = this.#entriesOf(name).slice(0, 50);
    return rows.map((row) => new Fields({ row }, this.#unread).list('row'));
  }

  /** How many entries a list has. */
  count(name: string): number {
    return this.#entriesOf(name).length;
  }

  /** The names of the fields that are chosen, at most as many as are shown and one more. */
  names(limit: number, isChosen: (name: string) => boolean): string[] {
    const names: string[] = [];
    for (const name of Object.keys(this.#values)) {
      if (isChosen(name)) names.push(name);
      if (names.length > limit) break;
    }
    return names;
  }

  /** A trimmed text; also accepts numbers and booleans. */
  text(name: string): string {
    return this.untrimmed(name).trim();
  }

  untrimmed(name: string): string {
    const value = this.#valueOf(name);
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value !== 'string') return '';
    const text = value.slice(0, Math.min(MAX_TEXT, this.#unread.characters));
    this.#unread.characters -= text.length;
    return text;
  }

  number(name: string): number | undefined {
    const value = this.#valueOf(name);
    return typeof value === 'number' ? value : undefined;
  }

  isTrue(name: string): boolean {
    return this.#valueOf(name) === true;
  }

  has(name: string): boolean {
    return this.#valueOf(name) !== undefined;
  }

  #entriesOf(name: string): readonly unknown[] {
    const value = this.#valueOf(name);
    return Array.isArray(value) ? value : [];
  }

  #valueOf(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }
}
