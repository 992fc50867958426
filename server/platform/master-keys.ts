import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import { formatKey, KEY_BYTES, Keyring, parseKeys } from './keyring.ts';
import type { Log } from './log.ts';
import type { Random } from './random.ts';

const PROOF = Buffer.from('parley');

/** A fault of the keys that an operator has to mend before anything can start. */
export class MasterKeyError extends Error {}

type KeySource = Pick<Config, 'masterKeys' | 'masterKeysFile' | 'dataDir' | 'databaseUrl'>;

/**
 * Takes the keys from the settings, or from the data directory. Only beside the embedded database is a first key made:
 * a key on a throw-away disk would lose what a database elsewhere keeps.
 *
 * @throws MasterKeyError that says what to do
 */
export async function loadKeyring(
  config: KeySource,
  { random, log }: { random: Random; log: Log },
): Promise<Keyring> {
  return new Keyring(parse(...(await readKeys(config, random, log))), random);
}

async function readKeys(
  config: KeySource,
  random: Random,
  log: Log,
): Promise<[text: string, source: string]> {
  if (config.masterKeys !== undefined) return [config.masterKeys, 'MASTER_KEYS'];
  const path = config.masterKeysFile ?? join(config.dataDir, 'master.keys');
  const found = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new MasterKeyError(`the encryption keys in ${path} cannot be read: ${error.message}`);
  });
  if (found !== undefined) return [found, path];
  if (config.masterKeysFile !== undefined)
    throw new MasterKeyError(`MASTER_KEYS_FILE names ${path}, which does not exist`);
  if (config.databaseUrl !== undefined) {
    throw new MasterKeyError(
      'DATABASE_URL needs MASTER_KEYS or MASTER_KEYS_FILE; make a key with: npm run parley -- keys new',
    );
  }
  const text = formatKey(1, random.bytes(KEY_BYTES));
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  log.warn(`made the encryption key ${path}: back it up, without it no message can be read`);
  return [text, path];
}

function parse(text: string, source: string): Map<number, Buffer> {
  try {
    return parseKeys(text);
  } catch (error) {
    throw new MasterKeyError(`the encryption keys in ${source} are not right: ${(error as Error).message}`);
  }
}

/**
 * Proves that the keyring opens what this database holds, and leaves a proof of each key that is new to it.
 *
 * @throws MasterKeyError when a key is missing or another one
 */
export async function proveKeyring({
  db,
  keyring,
  clock,
}: {
  db: Database;
  keyring: Keyring;
  clock: Clock;
}): Promise<void> {
  await db.begin(async (tx) => {
    // Entered first: of two processes that bring a new key at once, the second waits here and then judges the other's.
    const { keyId: activeKeyId, ciphertext: ownProof } = keyring.seal(placeOf(keyring.activeKeyId), PROOF);
    await tx`
      insert into encryption_keys (key_id, proof, created_at) values (${activeKeyId}, ${ownProof}, ${clock.now()})
      on conflict (key_id) do nothing`;
    const proofs = await tx<{ keyId: number; proof: Buffer }[]>`
      select key_id, proof from encryption_keys order by key_id`;
    for (const { keyId, proof } of proofs) {
      if (!keyring.keyIds.includes(keyId)) {
        throw new MasterKeyError(`this database was written with encryption key ${keyId}, which is missing`);
      }
      try {
        keyring.open(placeOf(keyId), { keyId, ciphertext: proof });
      } catch {
        throw new MasterKeyError(
          `encryption key ${keyId} is not the one that this database was written with`,
        );
      }
    }
  });
}

function placeOf(keyId: number) {
  return { table: 'encryption_keys', rowId: String(keyId) };
}
