import { existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import type { Db } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { judgeProof, keyFile, loadKeyring } from '#platform/master-keys.ts';
import { type DoctorDeps, type Finding, fault, ok, reasonOf } from './finding.ts';

const OTHERS = 0o077;

/** That only its owner reads the file of the keys. */
export async function checkKeyFile({ config }: Pick<DoctorDeps, 'config'>): Promise<Finding> {
  const path = keyFile(config);
  if (path === undefined) return ok('key file', 'the keys are in MASTER_KEYS');
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    const isMade = config.databaseUrl === undefined && !existsSync(`${config.dataDir}/postgres`);
    if (isMade) return ok('key file', `the first start makes ${path}`);
    return fault(
      'key file',
      `${path} is missing`,
      'restore it from its backup; without it no message can be read',
    );
  }
  const mode = found.mode & 0o777;
  if (process.platform !== 'win32' && mode & OTHERS)
    return fault('key file', `${path} has mode ${mode.toString(8)}: others may read it`, `chmod 600 ${path}`);
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isReadable)
    return fault(
      'key file',
      `${path} cannot be read by this user`,
      `run as its owner, or chown it to the server's user`,
    );
  return ok('key file', path);
}

/** That the keys open what this database holds; nothing is written. */
export async function checkKeys(
  { config, random, clock }: Pick<DoctorDeps, 'config' | 'random' | 'clock'>,
  db: Db,
): Promise<Finding> {
  const path = keyFile(config);
  if (path !== undefined && !existsSync(path)) return fault('keys', 'there are none', 'see "key file"');
  try {
    const keyring = await loadKeyring(config, { random, clock, log: createLog('silent') });
    const proofs = await db<{ keyId: number; proof: Buffer }[]>`select key_id, proof from encryption_keys`;
    for (const proof of proofs) judgeProof(keyring, proof);
    return ok('keys', `key ${keyring.activeKeyId} is in use`);
  } catch (error) {
    const what = error instanceof Error ? error.message : reasonOf(error);
    return fault(
      'keys',
      what,
      'set MASTER_KEYS or MASTER_KEYS_FILE to the keys that belong to this database',
    );
  }
}
