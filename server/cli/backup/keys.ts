import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '#platform/config.ts';
import { Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import { checkProof, type KeyProof, keyFile } from '#platform/crypto/master-keys.ts';
import { flushDirectory } from '#platform/files/whole-file.ts';
import { systemRandom } from '#platform/random.ts';

/**
 * The keys of the settings have to be those of the backup; where there are none, those in the backup are saved.
 *
 * @returns where they were saved
 */
export async function settleKeys(
  config: Config,
  saved: string | undefined,
  proofs: readonly KeyProof[],
  undo: AsyncDisposableStack,
): Promise<string | null> {
  const path = keyFile(config);
  const isThere = path === undefined || existsSync(path);
  const text = isThere ? (config.masterKeys ?? (await readFile(path ?? '', 'utf8'))) : saved;
  if (text !== undefined) proveKeys(text, proofs);
  if (isThere || saved === undefined) return null;
  undo.defer(() => rm(path, { force: true }));
  await writeFile(path, saved, { mode: 0o600, flag: 'wx', flush: true });
  await flushDirectory(dirname(path));
  return path;
}

export function proveKeys(text: string, proofs: readonly KeyProof[]): void {
  const keyring = new Keyring(parseKeys(text), systemRandom);
  for (const proof of proofs) checkProof(keyring, proof);
}
