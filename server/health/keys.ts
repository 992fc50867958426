import { existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { say } from '#contract/reasons.ts';
import { checkProof, keyFile, loadKeyring } from '#platform/crypto/master-keys.ts';
import type { Db } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { type DoctorDeps, type Finding, fault, faultOf, ok, reasonOf } from './finding.ts';

const OTHERS = 0o077;

/** Checks that only its owner can read the key file. */
export async function checkKeyFile({ config }: Pick<DoctorDeps, 'config'>): Promise<Finding> {
  const path = keyFile(config);
  if (path === undefined) return ok('key file', say('health.key-file-setting'));
  const found = await stat(path).catch(() => undefined);
  if (!found) {
    const isMade = config.databaseUrl === undefined && !existsSync(`${config.dataDir}/postgres`);
    if (isMade) return ok('key file', say('health.key-file-new', { path }));
    return faultOf('key file', 'health.key-file-missing', { path });
  }
  const mode = found.mode & 0o777;
  if (process.platform !== 'win32' && mode & OTHERS)
    return fault(
      'key file',
      say('health.key-file-open', { path, mode: mode.toString(8) }),
      `chmod 600 ${path}`,
    );
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isReadable) return faultOf('key file', 'health.key-file-unreadable', { path });
  return ok('key file', path);
}

/** Checks that the keys decrypt this database's values, without writing anything. */
export async function checkKeys(
  { config, random, clock }: Pick<DoctorDeps, 'config' | 'random' | 'clock'>,
  db: Db,
): Promise<Finding> {
  const path = keyFile(config);
  if (path !== undefined && !existsSync(path)) return faultOf('keys', 'health.no-keys');
  try {
    const keyring = await loadKeyring(config, { random, clock, log: createLog('silent') });
    const proofs = await db<{ keyId: number; proof: Buffer }[]>`select key_id, proof from encryption_keys`;
    for (const proof of proofs) checkProof(keyring, proof);
    return ok('keys', say('health.keys', { key: keyring.activeKeyId }));
  } catch (error) {
    const what = error instanceof Error ? error.message : reasonOf(error);
    return fault('keys', what, say('health.keys-wrong.remedy'));
  }
}
