import type { Db } from '#platform/database.ts';

/** These fields of each row. */
export function columnsOf<Row extends object>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][] {
  return rows.map((row) => names.map((name) => row[name]));
}

/** One field of each row. */
export function columnOf<Row extends object>(rows: readonly Row[], name: keyof Row): unknown[] {
  return rows.map((row) => row[name]);
}

/** The rows of every table in which this column has this value, in any order of a table's rows that stays the same. */
export async function rowsWith(
  db: Db,
  column: 'account_id' | 'app_id',
  id: string,
): Promise<Record<string, string[]>> {
  const tables = await db<{ name: string }[]>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = ${column} order by name`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await db<{ row: string }[]>`
        select to_jsonb(listed)::text as row from ${db(name)} listed where ${db(column)} = ${id} order by 1`;
      return [name, found.map(({ row }) => row)] as const;
    }),
  );
  return Object.fromEntries(rows.filter(([, found]) => found.length > 0));
}
