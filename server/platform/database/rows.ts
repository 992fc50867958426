// biome-ignore lint/suspicious/noExplicitAny: a caller without a row type knows the columns
export type Row = Record<string, any>;

/** The answer to a statement: its rows, and PostgreSQL's count of rows affected. */
export type Rows<T extends readonly object[] = Row[]> = T & Pick<RowList, 'count' | 'command'>;

export class RowList extends Array<Row> {
  /** Rows that were returned or changed. */
  readonly #count: number;
  readonly #command: string;

  constructor(length: number, count: number, command: string) {
    super(length);
    this.#count = count;
    this.#command = command;
  }

  /** Derived arrays, as from `map`, are plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  get count(): number {
    return this.#count;
  }

  get command(): string {
    return this.#command;
  }
}

interface Answer {
  fields: readonly { name: string }[];
  rows: readonly unknown[][];
  rowCount: number | null;
  command: string;
}

/** Converts column names from snake case to camel case. */
export function toRows({ fields, rows, rowCount, command }: Answer): RowList {
  const names = fields.map(({ name }) => toCamelCase(name));
  // Each row is a copy with all columns preallocated: adding them one by one leaves seven times the row's size as garbage.
  const blank: Row = Object.fromEntries(names.map((name) => [name, undefined]));
  const list = new RowList(rows.length, rowCount ?? 0, command);
  for (let i = 0; i < rows.length; i++) {
    const values = rows[i] as unknown[];
    const row = { ...blank };
    for (let j = 0; j < names.length; j++) row[names[j] as string] = values[j];
    list[i] = row;
  }
  return list;
}

const camelCase = new Map<string, string>();

function toCamelCase(name: string): string {
  let known = camelCase.get(name);
  if (known === undefined) {
    known = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    camelCase.set(name, known);
  }
  return known;
}

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
