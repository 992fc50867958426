import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { FixedWindow } from '../rate-limits.ts';
import type { UnreadableError } from './keyring.ts';

const WINDOW_MS = 60_000;
const LINES_PER_TABLE = 10;

/**
 * Writes a log line for a row that cannot be read: one a minute for each row, ten a minute for each table, so
 * that a damaged table does not flood the log. The next line of a table says how many were omitted.
 */
export function logUnreadableRows({ log, clock }: { log: Log; clock: Clock }) {
  const windows = new FixedWindow(clock, { windowMs: WINDOW_MS });
  const unlogged = new Map<string, number>();
  return ({ table, rowId, keyId, cause }: UnreadableError): void => {
    const isLogged =
      windows.peek(table, LINES_PER_TABLE).allowed && windows.hit(`${table}:${rowId}`, 1).allowed;
    if (!isLogged) {
      unlogged.set(table, (unlogged.get(table) ?? 0) + 1);
      return;
    }
    windows.hit(table, LINES_PER_TABLE);
    const unloggedReads = unlogged.get(table);
    unlogged.delete(table);
    log.error(
      { table, rowId, keyId, reason: cause, ...(unloggedReads && { unloggedReads }) },
      'a row cannot be read',
    );
  };
}
