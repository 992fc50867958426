import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const TWO_STARTS_AT_ONCE_MS = 250;

/**
 * Makes this process the only Parley on a directory, until it releases the lock or exits. It is a kernel lock, which SQLite
 * takes for us on every platform: unlike a process ID in a file it cannot be stale, and it also works between containers
 * that share the directory. `parley.pid` only tells people who holds it.
 *
 * @throws when another process holds it; the message names the directory and that process
 */
export function lockDirectory(directory: string): Disposable {
  const pidFile = join(directory, 'parley.pid');
  const lockFile = join(directory, 'parley.lock');
  const lock = new DatabaseSync(lockFile, { timeout: TWO_STARTS_AT_ONCE_MS });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw new Error(`the data directory ${directory} cannot be locked`, { cause: error });
    throw new Error(`the data directory ${directory} is in use by another Parley${holder(pidFile)}`);
  }
  chmodSync(lockFile, 0o600);
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    [Symbol.dispose]() {
      if (!lock.isOpen) return;
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
