import { type Config, readConfig } from '#platform/config.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { loadKeyring, proveKeyring } from '#platform/crypto/master-keys.ts';
import type { Database } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { findDistribution, toShards } from '../distribution/shards.ts';
import type { CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';

/** The settings, the database and the keys of a server, for one command. */
export async function openInstallation(deps: CommandDeps) {
  const config = readConfig(deps.environment);
  await using opened = new AsyncDisposableStack();
  const { db } = opened.use(await openServerDatabase(config, { signal: deps.signal }));
  const keyring = await openProvenKeyring(deps, config, db);
  const shards = toShards(await findDistribution(db));
  const kept = opened.move();
  return { config, db, keyring, shards, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

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
