import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '#platform/config.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { Keyring, parseKeys } from '#platform/keyring.ts';
import { createLog } from '#platform/log.ts';
import { judgeProof, type KeyProof, keyFile } from '#platform/master-keys.ts';
import { systemRandom } from '#platform/random.ts';
import { writeWhole } from '#platform/whole-file.ts';
import type { ObjectStore } from './backup/frames.ts';
import { openBackup, type Restored, restoreBackup } from './backup/restore.ts';
import { type Contents, takeBackup } from './backup/take.ts';
import { prepareTarget } from './backup/target.ts';
import type { Command, CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    parameters: ['<file>'],
    about: 'write all of the server into one encrypted file, as it is at one moment, while it runs',
    details: [
      'Holds the database and the uploads of DATA_DIR/media. Uploads in an object store stay there, and the command says',
      'how to copy them. Encrypted with XChaCha20-Poly1305, its key made of the passphrase with argon2id. Without',
      '--with-keys the encryption keys are not in it: keep them elsewhere, a backup without them restores everything but',
      'cannot open a message.',
    ].join('\n'),
    options: PASSPHRASE_OPTION,
    flags: {
      'with-keys': 'put the encryption keys into the file, too',
      verify: 'restore it into a scratch server before it gets its name, and compare',
    },
    async run(deps, [file = ''], options, flags) {
      const config = readConfig(deps.environment);
      const passphrase = await readPassphrase(deps, options);
      if (existsSync(file)) throw new Error(`${file} is there already`);
      const keys = flags.has('with-keys')
        ? (config.masterKeys ?? (await readFile(keyFile(config) ?? '', 'utf8')))
        : undefined;
      await using opened = await openServerDatabase(config);
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
        if (flags.has('verify')) await verify(deps, unfinished, passphrase);
        return written;
      });
      const { size } = await stat(file);
      const { store, missingFiles } = taken;
      const text = [
        `${file}: ${describe(taken)}, ${size} bytes`,
        flags.has('verify') && 'restored into a scratch server: counts and digests are equal',
        store && `${describeStore(store)}, not in it; copy them: aws s3 sync ${addressOf(store)} <folder>`,
        missingFiles > 0 && `${missingFiles} uploads that people use have no file in ${mediaDir}`,
        keys === undefined && `keep the encryption keys ${taken.keyIds.join(', ')} elsewhere: it needs them`,
      ];
      const data = { file, size, ...taken, withKeys: keys !== undefined, verified: flags.has('verify') };
      return { text: text.filter(Boolean).join('\n'), data };
    },
  },
  {
    name: 'backup verify',
    parameters: ['<file>'],
    about: 'restore a backup into a scratch server, and compare counts and digests',
    options: PASSPHRASE_OPTION,
    async run(deps, [file = ''], options) {
      const restored = await verify(deps, file, await readPassphrase(deps, options));
      const { keys, ...contents } = restored;
      return { text: `${file} is whole: ${describe(contents)}`, data: { file, ...contents } };
    },
  },
  {
    name: 'restore',
    parameters: ['<file>'],
    about: 'bring a backup back into an empty database',
    details: [
      'Into the database of DATABASE_URL, or a new embedded one in DATA_DIR; the uploads into DATA_DIR/media. Refused',
      'where a Parley is already, and then everything stays as it was. Keys that the backup holds go to',
      'DATA_DIR/master.keys unless the settings name keys.',
    ].join('\n'),
    options: PASSPHRASE_OPTION,
    async run(deps, [file = ''], options) {
      const config = readConfig(deps.environment);
      using backup = await openBackup(file, await readPassphrase(deps, options));
      await using undo = await prepareTarget(config);
      let keysSavedTo: string | null = null;
      const restored = await (async () => {
        await using opened = await openServerDatabase(config, { make: true });
        return await restoreBackup(backup, {
          ...deps,
          url: opened.url,
          mediaDir: join(config.dataDir, 'media'),
          async beforeCommit({ keys }, proofs) {
            keysSavedTo = await settleKeys(config, keys, proofs, undo);
          },
        });
      })();
      undo.move();
      const { keys, store, ...contents } = restored;
      const text = [
        `restored ${describe(contents)}`,
        keysSavedTo === null
          ? `the server needs the encryption keys ${contents.keyIds.join(', ')}`
          : `the encryption keys are in ${keysSavedTo}`,
        store && `${describeStore(store)}; copied ones go back: aws s3 sync <folder> ${addressOf(store)}`,
      ];
      return { text: text.filter(Boolean).join('\n'), data: { ...contents, store, keysSavedTo } };
    },
  },
];

/**
 * The keys of the settings have to be those of the backup; where there are none, those in the backup are saved.
 *
 * @returns where they were saved
 */
async function settleKeys(
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
  return path;
}

function proveKeys(text: string, proofs: readonly KeyProof[]): void {
  const keyring = new Keyring(parseKeys(text), systemRandom);
  for (const proof of proofs) judgeProof(keyring, proof);
}

/** On a PostgreSQL of its own, thrown away afterwards; the keys, if they are in it, are proven, too. */
async function verify({ clock, signal }: CommandDeps, file: string, passphrase: string): Promise<Restored> {
  using backup = await openBackup(file, passphrase);
  const scratch = await mkdtemp(join(tmpdir(), 'parley-verify-'));
  try {
    await using embedded = await startEmbeddedPostgres({
      dataDir: scratch,
      log: createLog('silent'),
      isDurable: false,
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
