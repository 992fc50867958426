import type { SealingContext } from '#platform/crypto/keyring.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** A row with a sealed value. */
export interface SealedRow {
  /** The values of the primary key. */
  key: (string | number)[];
  ciphertext: Buffer;
  keyId: number;
}

interface Wanted {
  /** A condition on the id of the key: `<> 2`. */
  keyId: string;
  maxRows?: number;
}

const ROWS_AT_ONCE = 200;

/** Of a large table, a pass over all rows takes longer than other statements may. */
export function untimed<T>(db: Database, read: (tx: Tx) => PromiseLike<T>): Promise<T> {
  return db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    return read(tx);
  });
}

/** Rows of a column, some at a time in the order of the primary key, so that no row is looked at twice. */
export async function* sealedRows(
  db: Database,
  { table, key, column, keyIdColumn }: SealedColumn,
  { keyId, maxRows = Number.POSITIVE_INFINITY }: Wanted,
): AsyncGenerator<SealedRow[]> {
  const order = key.join(', ');
  const beyond = `and (${order}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})`;
  let after: SealedRow | undefined;
  for (let left = maxRows; left > 0; ) {
    const limit = Math.min(ROWS_AT_ONCE, left);
    const text = `select json_build_array(${order}) as key, ${column} as ciphertext, ${keyIdColumn} as key_id
        from ${table} where ${keyIdColumn} ${keyId} ${after ? beyond : ''} order by ${order} limit ${limit}`;
    const values = after?.key ?? [];
    const rows: SealedRow[] = await untimed(db, (tx) => tx.unsafe<SealedRow[]>(text, values));
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    left -= limit;
    after = rows.at(-1);
  }
}

/** The sealing context of a row. */
export function contextOf(
  { table, key, rowId, context = table }: SealedColumn,
  row: SealedRow,
): SealingContext {
  const values = new Map(key.map((name, i) => [name, row.key[i]]));
  const parts = rowId.split(':').map((part) => values.get(part) ?? part);
  return { table: context, rowId: parts.join(':') };
}
