import type { Config } from '#platform/config.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { loadKeyring, proveKeyring } from '#platform/crypto/master-keys.ts';
import type { Database } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import type { CommandDeps } from '../command.ts';

/** The encryption keys of the settings. @throws where they are not those of the database */
export async function openProvenKeyring(
  { random, clock }: Pick<CommandDeps, 'random' | 'clock'>,
  config: Config,
  db: Database,
): Promise<Keyring> {
  const keyring = await loadKeyring(config, { random, clock, log: createLog('silent') });
  await proveKeyring({ db, keyring, clock });
  return keyring;
}
