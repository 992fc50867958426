import { type Row, type RowList, type Rows, toSnakeCase } from './rows.ts';
import { Json, type Value } from './values.ts';

/** Values and fragments that a statement may contain. */
export type Part = Value | Statement | RowsToInsert | Verbatim;

export interface Text {
  text: string;
  /** The name of the prepared statement. Without name and values, the text may contain several statements. */
  name?: string;
}

export type Send = (text: Text, values: readonly Value[]) => Promise<RowList>;

/** How statements are written, wherever they run. */
export interface Sql {
  /** A statement, or a part of another one. */
  <T extends readonly object[] = Row[]>(text: TemplateStringsArray, ...parts: readonly Part[]): Statement<T>;
  /** The name of a table or column. */
  (name: string): Name;
  /** Columns and values of an `insert`: the given columns, or all that the first row has. */
  <R extends object>(rows: R | readonly R[], ...columns: (keyof R & string)[]): RowsToInsert;
  /**
   * An integer in the text of the statement, instead of a parameter: for an unknown `limit`, PostgreSQL assumes a tenth of
   * the rows when planning, and may scan the whole table for each slice.
   */
  constant(value: number): Verbatim;
  json(value: unknown): Json;
  /** A text built by the caller. It is not prepared, and without values it may contain several statements. */
  unsafe<T extends readonly object[] = Row[]>(text: string, values?: readonly Value[]): Promise<Rows<T>>;
}

export function createSql(send: Send): Sql {
  const sql = (first: TemplateStringsArray | object | string, ...rest: unknown[]) => {
    if (typeof first === 'string') return new Name(first);
    if ('raw' in first) return new Statement(send, first as TemplateStringsArray, rest as Part[]);
    return new RowsToInsert(first as Row | Row[], rest as string[]);
  };
  return Object.assign(sql as Sql, {
    constant: (value: number) => new Verbatim(String(Math.trunc(value))),
    json: (value: unknown) => new Json(value),
    unsafe: (text: string, values: readonly Value[] = []) => send({ text }, values),
  });
}

/**
 * A statement not yet bound to a connection. It runs once, when it is first awaited; inside another statement it is a
 * fragment of that one.
 */
export class Statement<T extends readonly object[] = readonly object[]> implements PromiseLike<Rows<T>> {
  readonly #send: Send;
  readonly #strings: TemplateStringsArray;
  readonly #parts: readonly Part[];
  #answer: Promise<Rows<T>> | undefined;

  constructor(send: Send, strings: TemplateStringsArray, parts: readonly Part[]) {
    this.#send = send;
    this.#strings = strings;
    this.#parts = parts;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement runs it
  then<A, E>(
    onAnswer?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<A | E> {
    this.#answer ??= this.#run();
    return this.#answer.then(onAnswer, onError);
  }

  catch<E>(onError: (error: unknown) => E | PromiseLike<E>): Promise<Rows<T> | E> {
    return this.then((rows) => rows, onError);
  }

  async #run(): Promise<Rows<T>> {
    const values: Value[] = [];
    const shape = this.#collect(SHAPES, values);
    shape.text ??= {
      text: this.#write({ values: 0 }),
      ...(shape.isKept && { name: `s${++preparedStatements}` }),
    };
    return (await this.#send(shape.text, values)) as object as Rows<T>;
  }

  /** Finds the shape of the statement, and collects its values in order. */
  #collect(before: Shape, values: Value[]): Shape {
    let shape = before.followedBy(this.#strings);
    for (const part of this.#parts) {
      if (part instanceof Statement) shape = part.#collect(shape, values);
      else if (part instanceof RowsToInsert) shape = part.collect(shape, values);
      else if (part instanceof Verbatim) shape = shape.followedBy(part.text);
      else {
        shape = shape.followedByValue();
        values.push(part);
      }
    }
    return shape;
  }

  #write(written: { values: number }): string {
    return this.#strings.reduce((text, string, i) => {
      const part = this.#parts[i - 1] as Part;
      if (part instanceof Statement) return text + part.#write(written) + string;
      if (part instanceof RowsToInsert) return text + part.write(written) + string;
      if (part instanceof Verbatim) return text + part.text + string;
      return `${text}$${++written.values}${string}`;
    });
  }
}

let preparedStatements = 0;

/**
 * The form of a statement up to some point: its template strings are the same objects at each call, so that the whole text
 * is built once for each combination of fragments, and found again by a few lookups.
 */
class Shape {
  text: Text | undefined;
  /** Whether it is found again, and its statement prepared. */
  readonly isKept: boolean;
  readonly #next = new Map<TemplateStringsArray | string, Shape>();
  #nextOfValue: Shape | undefined;

  constructor({ isKept }: Pick<Shape, 'isKept'>) {
    this.isKept = isKept;
  }

  followedBy(text: TemplateStringsArray | string): Shape {
    let next = this.#next.get(text);
    if (!next) {
      next = new Shape(this);
      this.#next.set(text, next);
    }
    return next;
  }

  followedByValue(): Shape {
    this.#nextOfValue ??= new Shape(this);
    return this.#nextOfValue;
  }
}

const SHAPES = new Shape({ isKept: true });

/** A fragment that is inserted into the text unchanged. */
class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

class Name extends Verbatim {
  constructor(name: string) {
    super(`"${toSnakeCase(name).replaceAll('"', '""')}"`);
  }
}

/**
 * Columns and values of an `insert`. Each number of rows has a text of its own, and every connection would keep all of them
 * prepared, the long ones at a megabyte each: only those with a power of two of rows are (`inChunks` makes such).
 */
class RowsToInsert {
  readonly #rows: readonly Row[];
  readonly #columns: readonly string[];

  constructor(rows: Row | readonly Row[], columns: readonly string[]) {
    this.#rows = Array.isArray(rows) ? rows : [rows];
    this.#columns = columns.length > 0 ? columns : Object.keys(this.#rows[0] ?? {});
  }

  collect(before: Shape, values: Value[]): Shape {
    for (const row of this.#rows) for (const column of this.#columns) values.push(row[column]);
    const { length } = this.#rows;
    if ((length & (length - 1)) !== 0) return new Shape({ isKept: false });
    return before.followedBy(`${length} rows of ${this.#columns.join()}`);
  }

  write(written: { values: number }): string {
    const values = () => this.#columns.map(() => `$${++written.values}`).join();
    const rows = this.#rows.map(() => `(${values()})`).join();
    return `(${this.#columns.map((column) => new Name(column).text).join()}) values ${rows}`;
  }
}
