/** Reads from untrusted JSON: fields that are missing or have another type count as empty. */
export interface Fields {
  values: JsonObject;
  /** How much text may still be read of the whole post: what is too long to be shown is not rendered. */
  unread: { characters: number };
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Several times what fits into a message, since marks and entities take more space than what they show. */
const MAX_TEXT = 20_000;
const MAX_TEXTS = 40_000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readFields(values: JsonObject): Fields {
  return { values, unread: { characters: MAX_TEXTS } };
}

export function fieldsIn({ values, unread }: Fields, name: string): Fields {
  const value = valueIn(values, name);
  return { values: isObject(value) ? value : {}, unread };
}

/** The objects of a list, at most as many as are shown. */
export function listIn({ values, unread }: Fields, name: string, limit = 50): Fields[] {
  const value = valueIn(values, name);
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, limit)
    .filter(isObject)
    .map((one) => ({ values: one, unread }));
}

/** The lists of a list. */
export function rowsIn({ values, unread }: Fields, name: string): Fields[][] {
  const rows = valueIn(values, name);
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, 50).map((row) => listIn({ values: { row }, unread }, 'row'));
}

/** How many entries a list has. */
export function countIn({ values }: Fields, name: string): number {
  const value = valueIn(values, name);
  return Array.isArray(value) ? value.length : 0;
}

/** The names of the fields that are chosen, at most as many as are shown and one more. */
export function namesIn({ values }: Fields, limit: number, isChosen: (name: string) => boolean): string[] {
  const names: string[] = [];
  for (const name of Object.keys(values)) {
    if (isChosen(name)) names.push(name);
    if (names.length > limit) break;
  }
  return names;
}

/** A trimmed text; also accepts numbers and booleans. */
export function textIn(fields: Fields, name: string): string {
  return untrimmedIn(fields, name).trim();
}

export function untrimmedIn({ values, unread }: Fields, name: string): string {
  const value = valueIn(values, name);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  const text = value.slice(0, Math.min(MAX_TEXT, unread.characters));
  unread.characters -= text.length;
  return text;
}

export function numberIn({ values }: Fields, name: string): number | undefined {
  const value = valueIn(values, name);
  return typeof value === 'number' ? value : undefined;
}

export function isTrueIn({ values }: Fields, name: string): boolean {
  return valueIn(values, name) === true;
}

export function hasIn({ values }: Fields, name: string): boolean {
  return valueIn(values, name) !== undefined;
}

function valueIn(values: JsonObject, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
