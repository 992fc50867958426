import type { Database, Tx } from '#platform/database.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { SealedColumn } from './sealed-columns.ts';

const ROWS_AT_ONCE = 200;

interface Row {
  /** The values of the primary key. */
  key: (string | number)[];
  ciphertext: Buffer;
  keyId: number;
}

/**
 * Seals again, with the active key, what another key sealed; the server may read and write the rows meanwhile. What was
 * done stays done: cut off, it goes on from there.
 *
 * @returns how many rows it sealed
 */
export async function resealColumn(
  { db, keyring, signal }: { db: Database; keyring: Keyring; signal: AbortSignal },
  sealed: SealedColumn,
): Promise<number> {
  let count = 0;
  for (let after: Row | undefined; ; ) {
    signal.throwIfAborted();
    const rows = await db.begin(async (tx) => {
      const found = await findOldRows(tx, sealed, keyring.activeKeyId, after);
      await Promise.all(found.map((row) => resealRow(tx, keyring, sealed, row)));
      return found;
    });
    count += rows.length;
    if (rows.length < ROWS_AT_ONCE) return count;
    after = rows.at(-1);
  }
}

/** How many rows a key still opens. */
export async function countSealedWith(db: Database, sealed: SealedColumn, keyId: number): Promise<number> {
  return db.begin(async (tx) => {
    const [row] = await tx<{ count: number }[]>`
      select count(*) as count from ${tx(sealed.table)} where ${tx(sealed.keyIdColumn)} = ${keyId}`;
    return row?.count ?? 0;
  });
}

/** In the order of the primary key, so that no row is looked at twice. */
async function findOldRows(
  tx: Tx,
  { table, key, column, keyIdColumn }: SealedColumn,
  activeKeyId: number,
  after: Row | undefined,
): Promise<Row[]> {
  const beyond = after ? `and (${key.join(', ')}) > (${key.map((_, i) => `$${i + 2}`).join(', ')})` : '';
  return tx.unsafe<Row[]>(
    `select json_build_array(${key.join(', ')}) as key, ${column} as ciphertext, ${keyIdColumn} as key_id
      from ${table} where ${keyIdColumn} <> $1 ${beyond} order by ${key.join(', ')} limit ${ROWS_AT_ONCE}`,
    [activeKeyId, ...(after?.key ?? [])],
  );
}

/** Guarded by the ciphertext: a row that the server wrote anew meanwhile stays as it is. */
async function resealRow(tx: Tx, keyring: Keyring, sealed: SealedColumn, row: Row): Promise<void> {
  const { table, key, column, keyIdColumn } = sealed;
  const place = { table, rowId: sealed.rowId(Object.fromEntries(key.map((name, i) => [name, row.key[i]]))) };
  const { keyId, ciphertext } = keyring.seal(place, keyring.open(place, row));
  const isRow = key.map((name, i) => `${name} = $${i + 4}`).join(' and ');
  await tx.unsafe(
    `update ${table} set ${column} = $1, ${keyIdColumn} = $2 where ${column} = $3 and ${isRow}`,
    [ciphertext, keyId, row.ciphertext, ...row.key],
  );
}
