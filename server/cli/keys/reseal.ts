import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { SealedColumn } from './sealed-columns.ts';
import { contextOf, type SealedRow, sealedRows, untimed } from './sealed-rows.ts';

/** The result of one round over a column. */
export interface Resealed {
  resealed: number;
  /** Left as they are. */
  unreadable: number;
}

/**
 * Seals again, with the active key, what another key sealed; the server may read and write the rows meanwhile. What was
 * done stays done: cut off, it goes on from there.
 */
export async function resealColumn(
  { db, keyring, signal }: { db: Database; keyring: Keyring; signal: AbortSignal },
  sealed: SealedColumn,
): Promise<Resealed> {
  const count = { resealed: 0, unreadable: 0 };
  for await (const rows of sealedRows(db, sealed, { keyId: `<> ${keyring.activeKeyId}` })) {
    signal.throwIfAborted();
    const outcomes = await db.begin((tx) =>
      Promise.all(rows.map((row) => resealRow(tx, keyring, sealed, row))),
    );
    for (const outcome of outcomes) count[outcome]++;
  }
  return count;
}

/** How many rows name the key. */
export async function countSealedWith(db: Database, sealed: SealedColumn, keyId: number): Promise<number> {
  return untimed(db, async (tx) => {
    const [row] = await tx<{ count: number }[]>`
      select count(*) as count from ${tx(sealed.table)} where ${tx(sealed.keyIdColumn)} = ${keyId}`;
    return row?.count ?? 0;
  });
}

/** Whether the key opens any row; what a damaged row was sealed with does not matter any more. */
export async function opensAnything(
  { db, keyring }: { db: Database; keyring: Keyring },
  sealed: SealedColumn,
  keyId: number,
): Promise<boolean> {
  for await (const rows of sealedRows(db, sealed, { keyId: `= ${keyId}` }))
    if (rows.some((row) => keyring.openIfReadable(contextOf(sealed, row), row))) return true;
  return false;
}

/** Guarded by the ciphertext: a row that the server resealed meanwhile stays as it is. */
async function resealRow(
  tx: Tx,
  keyring: Keyring,
  sealed: SealedColumn,
  row: SealedRow,
): Promise<keyof Resealed> {
  const { table, key, column, keyIdColumn } = sealed;
  const context = contextOf(sealed, row);
  const opened = keyring.openIfReadable(context, row);
  if (!opened) return 'unreadable';
  const { keyId, ciphertext } = keyring.seal(context, opened);
  const isRow = key.map((name, i) => `${name} = $${i + 4}`).join(' and ');
  await tx.unsafe(
    `update ${table} set ${column} = $1, ${keyIdColumn} = $2 where ${column} = $3 and ${isRow}`,
    [ciphertext, keyId, row.ciphertext, ...row.key],
  );
  return 'resealed';
}
