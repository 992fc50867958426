import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Config, readConfig } from '#platform/config.ts';
import { Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import { checkProof, type KeyProof, keyFile } from '#platform/crypto/master-keys.ts';
import type { Database } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createWhole, makeDirectory, writeWhole } from '#platform/files/whole-file.ts';
import { createLog } from '#platform/log.ts';
import { recordBackup } from '#platform/monitoring/last-backup.ts';
import { systemRandom } from '#platform/random.ts';
import { UsageError } from '../../sdk/cli/kit.ts';
import type { ObjectStore } from './backup/frames.ts';
import { isNumbered, removeOlder, removeUnverified, unverified } from './backup/keep.ts';
import { openBackup, type Restored, restoreBackup } from './backup/restore.ts';
import { type Contents, takeBackup } from './backup/take.ts';
import { listUploads } from './backup/uploads.ts';
import type { Command, CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    parameters: ['<file>'],
    about: 'write the database and the uploads into one encrypted file, while the server runs',
    details: [
      'Contains the database and the uploads of DATA_DIR/media, but not uploads in an object store: the command shows',
      'how to copy them. Encrypted with XChaCha20-Poly1305, with a key derived from the passphrase by argon2id. Without',
      '--with-keys it has no encryption keys: keep them elsewhere. A backup without its keys restores every row, but no',
      'message can be read.',
    ].join('\n'),
    options: {
      ...PASSPHRASE_OPTION,
      keep: 'how many backups to keep; removes older ones in the same folder whose names differ only in digits',
    },
    flags: {
      'with-keys': 'put the encryption keys into the file as well',
      verify: 'restore it into a scratch server and compare, before the file gets its name',
    },
    async run(deps, { args: [file = ''], options, flags }) {
      const config = readConfig(deps.environment);
      const passphrase = await readPassphrase(deps, options);
      const keep = readKeep(options['keep'], file);
      if (existsSync(file)) throw new Error(`${file} already exists`);
      const keys = flags.has('with-keys')
        ? (config.masterKeys ?? (await readFile(keyFile(config) ?? '', 'utf8')))
        : undefined;
      await using opened = await openServerDatabase(config, deps);
      const mediaDir = join(config.dataDir, 'media');
      const taken = await writeWhole(file, async (handle, unfinished) => {
        const written = await takeBackup(handle, {
          ...deps,
          url: opened.url,
          passphrase,
          mediaDir,
          s3: config.s3,
          keys,
        });
        if (flags.has('verify')) await verifyFirst(deps, { file, unfinished, passphrase, keep });
        return written;
      });
      const unrecorded = await record(opened.db, taken.takenAt);
      const removed =
        keep === undefined ? [] : await removeOlder(file, { count: keep, now: deps.clock.now() });
      const { size } = await stat(file);
      const { store, missingFiles } = taken;
      const text = [
        `${file}: ${describe(taken)}, ${size} bytes`,
        flags.has('verify') && 'restored into a scratch server: counts and digests are equal',
        store && `${describeStore(store)}, not in it; copy them: aws s3 sync ${addressOf(store)} <folder>`,
        missingFiles > 0 && `${missingFiles} uploads have no file in ${mediaDir}`,
        unrecorded && `the database could not record the backup, so metrics do not include it: ${unrecorded}`,
        removed.length > 0 && `removed ${removed.join(', ')}`,
        keys === undefined &&
          `keep the encryption keys ${taken.keyIds.join(', ')} elsewhere: a restore needs them`,
      ];
      const data = {
        file,
        size,
        ...taken,
        withKeys: keys !== undefined,
        verified: flags.has('verify'),
        recorded: unrecorded === undefined,
        removed,
      };
      return { text: text.filter(Boolean).join('\n'), data };
    },
  },
  {
    name: 'backup verify',
    parameters: ['<file>'],
    about: 'restore a backup into a scratch server and compare counts and digests',
    options: PASSPHRASE_OPTION,
    async run(deps, { args: [file = ''], options }) {
      const restored = await verify(deps, file, await readPassphrase(deps, options));
      const { keys, ...contents } = restored;
      return { text: `${file} is intact: ${describe(contents)}`, data: { file, ...contents } };
    },
  },
  {
    name: 'restore',
    parameters: ['<file>'],
    about: 'restore a backup into an empty database',
    details: [
      'Restores into the database of DATABASE_URL, or a new embedded one in DATA_DIR; uploads into DATA_DIR/media. Refuses',
      'a target that already has data, and then changes nothing. Keys in the backup are written to MASTER_KEYS_FILE, or',
      'DATA_DIR/master.keys, unless there are keys already.',
    ].join('\n'),
    options: PASSPHRASE_OPTION,
    async run(deps, { args: [file = ''], options }) {
      const config = readConfig(deps.environment);
      const passphrase = await readPassphrase(deps, options);
      using backup = await openBackup(file, { passphrase, signal: deps.signal });
      await using undo = await prepareTarget(config);
      let keys: SettledKeys = { areThere: false, savedTo: null };
      const restored = await (async () => {
        await using opened = await openServerDatabase(config, { make: true, signal: deps.signal });
        return await restoreBackup(backup, {
          ...deps,
          url: opened.url,
          mediaDir: join(config.dataDir, 'media'),
          async beforeCommit({ keys: saved }, proofs) {
            keys = await settleKeys(config, saved, proofs, undo);
          },
          afterCommit: () => void undo.move(),
        });
      })();
      const { keys: _, store, ...contents } = restored;
      const { areThere, savedTo: keysSavedTo } = keys;
      const text = [
        `restored ${describe(contents)}`,
        keysSavedTo !== null && `the encryption keys are in ${keysSavedTo}`,
        keysSavedTo === null && areThere && 'the encryption keys of the settings are those of the backup',
        !areThere && `the server needs the encryption keys ${contents.keyIds.join(', ')}`,
        store && `${describeStore(store)}; copied ones go back: aws s3 sync <folder> ${addressOf(store)}`,
      ];
      return { text: text.filter(Boolean).join('\n'), data: { ...contents, store, keysSavedTo } };
    },
  },
];

function readKeep(text: string | undefined, file: string): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!(Number.isInteger(count) && count >= 1)) throw new UsageError('--keep must be 1 or more');
  if (!isNumbered(file))
    throw new UsageError('--keep needs a file name with a date or a number, to recognize older backups');
  return count;
}

/** A read-only standby can be backed up, too, and so can a database that has not been migrated to this version. */
async function record(db: Database, takenAt: number): Promise<string | undefined> {
  return db
    .begin((tx) => recordBackup(tx, takenAt))
    .then(
      () => undefined,
      (error: Error) => error.message,
    );
}

function describe({ takenAt, tables, files }: Contents): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows in ${tables.length} tables and ${files} files, as of ${new Date(takenAt).toISOString()}`;
}

function describeStore({ endpoint, bucket, files }: ObjectStore): string {
  return `${files} uploads are in the bucket ${bucket} of ${endpoint}`;
}

function addressOf({ endpoint, bucket }: ObjectStore): string {
  return `s3://${bucket}/media --endpoint-url ${endpoint}`;
}

/**
 * Looks whether a backup may be restored here, before anything is changed. Disposing the stack brings the data directory
 * back to how it was found; whoever keeps what was restored moves the stack away.
 *
 * @throws when a database or uploads are there already
 */
async function prepareTarget({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<AsyncDisposableStack> {
  const mediaDir = join(dataDir, 'media');
  if (databaseUrl === undefined && existsSync(join(dataDir, 'postgres')))
    throw new Error(`${dataDir} already contains a database: restore into a new folder`);
  if ((await listUploads(mediaDir)).length > 0)
    throw new Error(`${mediaDir} already contains uploads: restore into a new folder`);
  const undo = new AsyncDisposableStack();
  const missing = firstMissing(resolve(dataDir));
  if (missing !== undefined) {
    undo.defer(() => rm(missing, { recursive: true, force: true }));
    return undo;
  }
  const { uid, gid, mode } = await stat(dataDir);
  undo.defer(async () => {
    // A root that runs PostgreSQL as another user has opened the folder for it.
    if (process.geteuid?.() === 0) await chown(dataDir, uid, gid);
    await chmod(dataDir, mode & 0o7777);
  });
  for (const directory of [dataDir, mediaDir]) await forgetNewcomers(undo, directory);
  return undo;
}

/** The uppermost folder on the way to this one that is not there yet. */
function firstMissing(directory: string): string | undefined {
  if (existsSync(directory)) return undefined;
  return firstMissing(dirname(directory)) ?? directory;
}

async function forgetNewcomers(undo: AsyncDisposableStack, directory: string): Promise<void> {
  const list = () => readdir(directory).catch(() => []);
  const before = new Set(await list());
  undo.defer(async () => {
    const newcomers = (await list()).filter((name) => !before.has(name));
    for (const name of newcomers) await rm(join(directory, name), { recursive: true, force: true });
  });
}

/** On a PostgreSQL of its own, thrown away afterwards; the keys, if they are in it, are proven, too. */
async function verify({ clock, signal }: CommandDeps, file: string, passphrase: string): Promise<Restored> {
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
async function verifyFirst(
  deps: CommandDeps,
  {
    file,
    unfinished,
    passphrase,
    keep,
  }: { file: string; unfinished: string; passphrase: string; keep: number | undefined },
): Promise<void> {
  try {
    await verify(deps, unfinished, passphrase);
  } catch (error) {
    deps.signal.throwIfAborted();
    await rename(unfinished, unverified(file));
    if (keep !== undefined) await removeUnverified(file);
    throw new Error(`${unverified(file)} is written, but could not be verified: ${(error as Error).message}`);
  }
}

interface SettledKeys {
  /** The server finds the keys of the backup. */
  areThere: boolean;
  savedTo: string | null;
}

/** The keys of the settings have to be those of the backup; where there are none, those in the backup are saved. */
async function settleKeys(
  config: Config,
  saved: string | undefined,
  proofs: readonly KeyProof[],
  undo: AsyncDisposableStack,
): Promise<SettledKeys> {
  const path = keyFile(config);
  const isThere = path === undefined || existsSync(path);
  const text = isThere ? (config.masterKeys ?? (await readFile(path ?? '', 'utf8'))) : saved;
  if (text !== undefined) proveKeys(text, proofs);
  if (isThere || saved === undefined) return { areThere: isThere, savedTo: null };
  undo.defer(() => rm(path, { force: true }));
  await makeDirectory(dirname(path));
  await createWhole(path, saved);
  return { areThere: true, savedTo: path };
}

function proveKeys(text: string, proofs: readonly KeyProof[]): void {
  const keyring = new Keyring(parseKeys(text), systemRandom);
  for (const proof of proofs) checkProof(keyring, proof);
}
