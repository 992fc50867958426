import { toSnakeCase } from '#platform/database/rows.ts';
import type { Db } from '#platform/database.ts';

const AT_ONCE = 1_000;

/** A row with its columns in camel case. */
export type ExportedRow = Record<string, string | number | boolean | null>;

/** Rows of a table that are read in the order of a key. */
export interface Reading {
  table: string;
  columns: readonly string[];
  /** Columns of its primary key, some of which may not be among the others. */
  key: readonly string[];
  where?: string;
}

/** The rows of a table, some at a time. */
export async function* rowsOf(
  db: Db,
  { table, columns, key, where = 'true' }: Reading,
): AsyncGenerator<ExportedRow[]> {
  const selected = [...new Set([...columns, ...key])].map(toSnakeCase).join(', ');
  const order = key.map(toSnakeCase).join(', ');
  const after = `(${order}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})`;
  let last: ExportedRow | undefined;
  for (;;) {
    const from = last ? ` and ${after}` : '';
    const text = `select ${selected} from ${table} where ${where}${from} order by ${order} limit ${AT_ONCE}`;
    const rows: ExportedRow[] = await db.unsafe<ExportedRow[]>(
      text,
      key.flatMap((name) => (last ? [last[name] ?? null] : [])),
    );
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1);
  }
}

/** The columns that an export has, without those that are null. */
export function toRecord(row: ExportedRow, columns: readonly string[]): ExportedRow {
  return Object.fromEntries(
    columns.flatMap((name) => (row[name] == null ? [] : [[name, row[name] as string | number | boolean]])),
  );
}
