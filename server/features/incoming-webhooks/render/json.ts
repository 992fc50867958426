/** Reads from untrusted JSON: fields that are missing or have another type count as empty. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsIn(fields: Fields, name: string): Fields {
  const value = valueIn(fields, name);
  return isFields(value) ? value : {};
}

/** The objects of a list, at most as many as are shown. */
export function listIn(fields: Fields, name: string, limit = 50): Fields[] {
  const value = valueIn(fields, name);
  return Array.isArray(value) ? value.slice(0, limit).filter(isFields) : [];
}

/** How many entries a list has. */
export function countIn(fields: Fields, name: string): number {
  const value = valueIn(fields, name);
  return Array.isArray(value) ? value.length : 0;
}

/** A trimmed text; also accepts numbers and booleans. */
export function textIn(fields: Fields, name: string): string {
  return textOf(valueIn(fields, name)).trim();
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function isTrueIn(fields: Fields, name: string): boolean {
  return valueIn(fields, name) === true;
}

export function hasIn(fields: Fields, name: string): boolean {
  return valueIn(fields, name) !== undefined;
}

function valueIn(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
