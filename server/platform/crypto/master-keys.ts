import { existsSync, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Db, openPatiently } from '../database.ts';
import { createWhole, makeDirectory, writeWhole } from '../files/whole-file.ts';
import type { Log } from '../log.ts';
import { Loop } from '../loop.ts';
import type { Platform } from '../platform.ts';
import type { Random } from '../random.ts';
import { FixedWindow } from '../rate-limits.ts';
import { formatKey, KEY_BYTES, Keyring, parseKeys, type UnreadableError } from './keyring.ts';

const WINDOW_MS = 60_000;
const LINES_PER_TABLE = 10;

/**
 * Writes a log line for a row that cannot be read: one a minute for each row, ten a minute for each table, so
 * that a damaged table does not flood the log. The next line of a table says how many were omitted.
 */
export function logUnreadableRows({ log, clock }: Pick<Platform, 'log' | 'clock'>) {
  const windows = new FixedWindow(clock, { windowMs: WINDOW_MS });
  const unlogged = new Map<string, number>();
  return ({ table, rowId, keyId, cause }: UnreadableError): void => {
    const isLogged =
      windows.peek(table, LINES_PER_TABLE).allowed && windows.hit(`${table}:${rowId}`, 1).allowed;
    if (!isLogged) {
      unlogged.set(table, (unlogged.get(table) ?? 0) + 1);
      return;
    }
    windows.hit(table, LINES_PER_TABLE);
    const unloggedReads = unlogged.get(table);
    unlogged.delete(table);
    log.error(
      { table, rowId, keyId, reason: cause, ...(unloggedReads && { unloggedReads }) },
      'a row cannot be read',
    );
  };
}

const PROOF = Buffer.from('parley');

/** A fault of the keys that an operator has to fix before anything can start. */
export class MasterKeyError extends Error {}

/** Proof that a key is the one that sealed a database's rows. */
export interface KeyProof {
  keyId: number;
  proof: Buffer;
}

type KeySource = Pick<Config, 'masterKeys' | 'masterKeysFile' | 'dataDir' | 'databaseUrl'>;

/**
 * Reads the keys from the settings, or from the data directory. A first key is created only with the embedded
 * database: on a temporary disk, a key for an external database would be lost, and its data with it.
 *
 * @throws MasterKeyError that says what to do
 */
export async function loadKeyring(
  config: KeySource,
  { random, log, clock }: Pick<Platform, 'random' | 'log' | 'clock'>,
): Promise<Keyring> {
  const keys = parse(...(await readKeys(config, random, log)));
  const path = keyFile(config);
  return new Keyring(keys, random, {
    ...(path !== undefined && { reread: () => readKeysAgain(path) }),
    onUnreadable: logUnreadableRows({ log, clock }),
  });
}

/** The file with the keys; undefined if they are in the settings. */
export function keyFile({
  masterKeys,
  masterKeysFile,
  dataDir,
}: Pick<KeySource, 'masterKeys' | 'masterKeysFile' | 'dataDir'>): string | undefined {
  return masterKeys === undefined ? (masterKeysFile ?? join(dataDir, 'master.keys')) : undefined;
}

/** Replaces the keys in the file atomically; its owner stays the same. */
export async function replaceKeys(path: string, keys: ReadonlyMap<number, Buffer>): Promise<void> {
  const { uid, gid } = await stat(path);
  await writeWhole(path, async (file) => {
    await file.writeFile([...keys].map(([id, key]) => formatKey(id, key)).join(''));
    if (process.getuid?.() === 0) await file.chown(uid, gid);
  });
}

/** Keys are only added while a process runs: an unreadable file is read again later. */
function readKeysAgain(path: string): ReadonlyMap<number, Buffer> {
  try {
    return parseKeys(readFileSync(path, 'utf8'));
  } catch {
    return new Map();
  }
}

/** How long a running process may take to seal with a key that was added to its file. */
export const KEY_LOOK_MS = 2000;

/** Seals with a key soon after it was added to the file, so that `keys rotate` needs no restart. */
export function watchKeys({
  db,
  keyring,
  clock,
  log,
  metrics,
}: Pick<Platform, 'db' | 'keyring' | 'clock' | 'log' | 'metrics'>): AsyncDisposable {
  const options = { name: 'encryption-keys', everyMs: KEY_LOOK_MS, isDelayed: true };
  return new Loop({ log, metrics }, options, async () => {
    const added = keyring.refresh();
    if (added.length === 0) return;
    log.info({ keys: added }, 'took up new encryption keys');
    await proveKeyring({ db, keyring, clock });
  });
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
  if (config.databaseUrl !== undefined) throw await missingKeys(config.databaseUrl, path);
  if (existsSync(join(config.dataDir, 'postgres')))
    throw new MasterKeyError(
      `${config.dataDir} holds a database, but not its encryption keys, which are expected in ${path}: ` +
        'bring that file back; a new key would open no message, so none was made',
    );
  const text = formatKey(1, random.bytes(KEY_BYTES));
  await makeDirectory(config.dataDir);
  // Never overwrites a key that a concurrent start has created, and is on disk before anything is sealed with
  // it.
  await createWhole(path, text);
  log.warn(`made the encryption key ${path}: back it up, without it no message can be read`);
  return [text, path];
}

/** A database that has used a key needs that key; for any other, a first key is created. */
async function missingKeys(url: string, path: string): Promise<MasterKeyError> {
  const db = openPatiently(url);
  const proofs = await findProofs(db).catch(() => []);
  await db.end({ timeout: 1 });
  if (proofs.length > 0)
    return new MasterKeyError(
      `the database of DATABASE_URL was written with encryption key ${proofs.map(({ keyId }) => keyId).join(', ')}, ` +
        `which is expected in MASTER_KEYS, in the file that MASTER_KEYS_FILE names, or in ${path}: ` +
        'bring it back; a new key would open no message, so none was made',
    );
  return new MasterKeyError(
    'DATABASE_URL needs MASTER_KEYS or MASTER_KEYS_FILE; make a key with: npm run parley -- keys new',
  );
}

/** The proofs of every key that has sealed rows of this database; none without Parley's tables. */
async function findProofs(db: Db): Promise<KeyProof[]> {
  const [table] = await db`select 1 from pg_tables where tablename = 'encryption_keys'`;
  return table ? selectProofs(db) : [];
}

async function selectProofs(db: Db): Promise<KeyProof[]> {
  return db<KeyProof[]>`select key_id, proof from encryption_keys order by key_id`;
}

function parse(text: string, source: string): Map<number, Buffer> {
  try {
    return parseKeys(text);
  } catch (error) {
    throw new MasterKeyError(`the encryption keys in ${source} are not right: ${(error as Error).message}`);
  }
}

/**
 * Checks, before anything is written, that the keyring has every key that sealed rows of this database.
 *
 * @throws MasterKeyError if one is missing or different, with the place where the keys were read
 */
export async function checkKeyring(db: Db, keyring: Keyring, config: KeySource): Promise<void> {
  try {
    for (const proof of await findProofs(db)) checkProof(keyring, proof);
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    throw new MasterKeyError(`${error.message}; the keys were read from ${keyFile(config) ?? 'MASTER_KEYS'}`);
  }
}

/**
 * Checks that the keyring decrypts this database's values, and stores a proof of each new key. Without a new key nothing is
 * written: on Citus the write needs every node.
 *
 * @throws MasterKeyError if a key is missing or different
 */
export async function proveKeyring({
  db,
  keyring,
  clock,
}: Pick<Platform, 'db' | 'keyring' | 'clock'>): Promise<void> {
  const known = await selectProofs(db);
  for (const proof of known) checkProof(keyring, proof);
  if (known.some(({ keyId }) => keyId === keyring.activeKeyId)) return;
  await db.begin(async (tx) => {
    // Inserted first: of two processes that add a new key concurrently, the second waits here and then
    // verifies the other's.
    const { keyId: activeKeyId, ciphertext: ownProof } = keyring.seal(contextOf(keyring.activeKeyId), PROOF);
    await tx`
      insert into encryption_keys (key_id, proof, created_at) values (${activeKeyId}, ${ownProof}, ${clock.now()})
      on conflict (key_id) do nothing`;
    for (const proof of await selectProofs(tx)) checkProof(keyring, proof);
  });
}

/**
 * Whether the keyring has exactly the key of this proof.
 *
 * @throws MasterKeyError if it is missing or different
 */
export function checkProof(keyring: Keyring, { keyId, proof }: KeyProof): void {
  if (!keyring.keyIds.includes(keyId)) {
    throw new MasterKeyError(`this database was written with encryption key ${keyId}, which is missing`);
  }
  try {
    keyring.open(contextOf(keyId), { keyId, ciphertext: proof });
  } catch {
    throw new MasterKeyError(`encryption key ${keyId} is not the one that this database was written with`);
  }
}

function contextOf(keyId: number) {
  return { table: 'encryption_keys', rowId: String(keyId) };
}
