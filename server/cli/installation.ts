import { readConfig } from '#platform/config.ts';
import { findDistribution, toShards } from '../distribution/shards.ts';
import type { CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';
import { openProvenKeyring } from './keys/proven-keyring.ts';

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
