import { readFile } from 'node:fs/promises';
import { UsageError } from '../../sdk/cli/kit.ts';
import { SHORTEST_PASSPHRASE } from './backup/sealed-stream.ts';
import type { CommandDeps } from './command.ts';

/** The option that every command with a sealed file takes. */
export const PASSPHRASE_OPTION = {
  'passphrase-file': 'file whose first line is the passphrase (or PARLEY_BACKUP_PASSPHRASE)',
};

/** Never an argument, which every process of the machine could read. */
export async function readPassphrase(
  { environment }: CommandDeps,
  options: Record<string, string>,
): Promise<string> {
  const path = options['passphrase-file'];
  const text = path === undefined ? environment['PARLEY_BACKUP_PASSPHRASE'] : await readFile(path, 'utf8');
  const [passphrase = ''] = (text ?? '').split('\n');
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new UsageError(
      `a passphrase of ${SHORTEST_PASSPHRASE} characters or more is needed: --passphrase-file, or PARLEY_BACKUP_PASSPHRASE`,
    );
  return passphrase;
}
