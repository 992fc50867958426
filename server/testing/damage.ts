import type { Database } from '#platform/database.ts';
import { expectErrors } from './logged-errors.ts';

export const UNREADABLE = /a row cannot be read/;

/** Changes one byte of the encrypted values in these rows, as a failing disk would. */
export async function damage(
  db: Database,
  { table, column }: { table: string; column: string },
  where: { column: string; value: string } | 'all',
): Promise<void> {
  const { count } = await db.begin((tx) =>
    tx.unsafe(
      `update ${table} set ${column} = set_byte(${column}, 30, get_byte(${column}, 30) # 1)
        where ${column} is not null${where === 'all' ? '' : ` and ${where.column} = $1`}`,
      where === 'all' ? [] : [where.value],
    ),
  );
  if (count === 0) throw new Error(`${table} has no such row`);
  expectErrors(UNREADABLE);
}

/** Makes these rows refer to an unknown key, as if the key had been lost. */
export async function loseKey(
  db: Database,
  { table, column }: { table: string; column: string },
  where: { column: string; value: string },
): Promise<void> {
  const { count } = await db.begin((tx) =>
    tx.unsafe(`update ${table} set ${column}_key_id = 4711 where ${where.column} = $1`, [where.value]),
  );
  if (count === 0) throw new Error(`${table} has no such row`);
  expectErrors(UNREADABLE);
}
