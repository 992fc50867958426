import type { SealingContext } from '#platform/crypto/keyring.ts';
import type { Db } from '#platform/database.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** A row with a sealed value. */
export interface SealedRow {
  /** The values of the primary key. */
  key: (string | number)[];
  ciphertext: Buffer;
  keyId: number;
}

/** Which rows: those that another key sealed, those that this key sealed, or all that have a value. */
export type SealedBy = { not: number } | { only: number } | 'any';

interface Page {
  sealedBy: SealedBy;
  after: SealedRow | undefined;
  limit: number;
}

/** In the order of the primary key, so that no row is looked at twice. */
export async function selectSealedRows(
  db: Db,
  { table, key, column, keyIdColumn }: SealedColumn,
  { sealedBy, after, limit }: Page,
): Promise<SealedRow[]> {
  const condition =
    sealedBy === 'any'
      ? `${keyIdColumn} is not null`
      : 'not' in sealedBy
        ? `${keyIdColumn} <> ${sealedBy.not}`
        : `${keyIdColumn} = ${sealedBy.only}`;
  const beyond = after ? `and (${key.join(', ')}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})` : '';
  return db.unsafe<SealedRow[]>(
    `select json_build_array(${key.join(', ')}) as key, ${column} as ciphertext, ${keyIdColumn} as key_id
      from ${table} where ${condition} ${beyond} order by ${key.join(', ')} limit ${limit}`,
    after?.key ?? [],
  );
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
