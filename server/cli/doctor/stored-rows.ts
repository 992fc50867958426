import { loadKeyring } from '#platform/crypto/master-keys.ts';
import type { Db } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { type DoctorDeps, type Finding, fault, ok } from '../../health/finding.ts';
import { SEALED_COLUMNS, type SealedColumn } from '../keys/sealed-columns.ts';
import { contextOf, type SealedRow, selectSealedRows } from '../keys/sealed-rows.ts';

const ROWS_AT_ONCE = 1000;
const NAMED_ROWS = 5;

/** That what is stored sealed can be read: in each table so many rows, in the order of its primary key. */
export async function checkStoredRows(
  deps: Pick<DoctorDeps, 'config' | 'clock' | 'random' | 'maxRows'>,
  db: Db,
): Promise<Finding[]> {
  const keyring = await loadKeyring(deps.config, { ...deps, log: createLog('silent') });
  const findings: Finding[] = [];
  let isCut = false;
  for (const column of SEALED_COLUMNS) {
    const { looked, unreadable } = await readColumn(db, column, deps.maxRows, (row) => {
      const context = contextOf(column, row);
      return keyring.openIfReadable(context, row) ? undefined : context.rowId;
    });
    isCut ||= looked === deps.maxRows;
    if (unreadable.length > 0) findings.push(findingOf(column, looked, unreadable));
  }
  if (findings.length > 0) return findings;
  return [ok('stored rows', `${isCut ? `the first ${deps.maxRows} of each table` : 'all'} can be read`)];
}

async function readColumn(
  db: Db,
  column: SealedColumn,
  maxRows: number,
  unreadableId: (row: SealedRow) => string | undefined,
): Promise<{ looked: number; unreadable: string[] }> {
  const unreadable: string[] = [];
  let looked = 0;
  for (let after: SealedRow | undefined; ; ) {
    const limit = Math.min(ROWS_AT_ONCE, maxRows - looked);
    const rows = await selectSealedRows(db, column, { sealedBy: 'any', after, limit });
    unreadable.push(...rows.flatMap((row) => unreadableId(row) ?? []));
    looked += rows.length;
    if (rows.length < limit || looked === maxRows) return { looked, unreadable };
    after = rows.at(-1);
  }
}

function findingOf({ table, column }: SealedColumn, looked: number, unreadable: string[]): Finding {
  const named = unreadable.slice(0, NAMED_ROWS).join(', ');
  const more = unreadable.length > NAMED_ROWS ? ', …' : '';
  return fault(
    'stored rows',
    `${unreadable.length} of ${looked} rows of ${table} cannot be read, in ${column}: ${named}${more}`,
    'restore the missing encryption key, or the rows from a backup; until then people see a placeholder',
  );
}
