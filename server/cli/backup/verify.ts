import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';
import type { CommandDeps } from '../command.ts';
import { proveKeys } from './keys.ts';
import { openBackup, type Restored, restoreBackup } from './restore.ts';

/** On a PostgreSQL of its own, thrown away afterwards; the keys, if they are in it, are proven, too. */
export async function verify(
  { clock, signal }: CommandDeps,
  file: string,
  passphrase: string,
): Promise<Restored> {
  using backup = await openBackup(file, { passphrase, signal });
  const scratch = await mkdtemp(join(tmpdir(), 'parley-verify-'));
  try {
    await using embedded = await startEmbeddedPostgres({
      dataDir: scratch,
      log: createLog('silent'),
      isDurable: false,
      signal,
    });
    return await restoreBackup(backup, {
      url: embedded.url,
      mediaDir: join(scratch, 'media'),
      clock,
      signal,
      async beforeCommit({ keys }, proofs) {
        if (keys !== undefined) proveKeys(keys, proofs);
      },
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A backup that could not be verified may be all there is: it is kept under another name, and the command fails. */
export async function verifyFirst(
  deps: CommandDeps,
  { file, unfinished, passphrase }: { file: string; unfinished: string; passphrase: string },
): Promise<void> {
  try {
    await verify(deps, unfinished, passphrase);
  } catch (error) {
    deps.signal.throwIfAborted();
    await rename(unfinished, `${file}.unverified`);
    throw new Error(`${file}.unverified is written, but could not be verified: ${(error as Error).message}`);
  }
}
