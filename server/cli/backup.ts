import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { Keyring, parseKeys } from '#platform/keyring.ts';
import { createLog } from '#platform/log.ts';
import { keyFile, proveKeyring } from '#platform/master-keys.ts';
import { type RestoreOptions, restoreBackup } from './backup/restore.ts';
import { type Contents, takeBackup } from './backup/take.ts';
import type { Command, CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    parameters: ['<file>'],
    about: 'write all of the server into one encrypted file, as it is at one moment, while it runs',
    details: [
      'Holds the database and the uploads of DATA_DIR/media; uploads in an object store stay there. Encrypted with',
      'XChaCha20-Poly1305, its key made of the passphrase with argon2id. Without --with-keys the encryption keys are not',
      'in it: keep them elsewhere, a backup without them restores everything but cannot open a message.',
    ].join('\n'),
    options: PASSPHRASE_OPTION,
    flags: {
      'with-keys': 'put the encryption keys into the file, too',
      verify: 'restore it into a scratch server afterwards, and compare',
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
      const taken = await takeBackup({ ...deps, url: opened.url, passphrase, out: file, mediaDir, keys });
      const { size } = await stat(file);
      const verified = flags.has('verify') ? await verify(deps, file, passphrase) : undefined;
      const text = [
        `${file}: ${describe(taken)}, ${size} bytes`,
        verified && 'restored into a scratch server: counts and digests are equal',
        keys === undefined && `keep the encryption keys ${taken.keyIds.join(', ')} elsewhere: it needs them`,
      ];
      const data = { file, size, ...taken, withKeys: keys !== undefined, verified: verified !== undefined };
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
      'where a Parley is already. Keys that the backup holds go to DATA_DIR/master.keys unless the settings name keys.',
    ].join('\n'),
    options: PASSPHRASE_OPTION,
    async run(deps, [file = ''], options) {
      const config = readConfig(deps.environment);
      const passphrase = await readPassphrase(deps, options);
      await using opened = await openServerDatabase(config, { make: true });
      const mediaDir = join(config.dataDir, 'media');
      const restored = await restoreBackup({
        file,
        passphrase,
        url: opened.url,
        mediaDir,
        clock: deps.clock,
      });
      const { keys, ...contents } = restored;
      const path = keyFile(config);
      const saved = keys !== undefined && path !== undefined && !existsSync(path);
      if (saved) await writeFile(path, keys, { mode: 0o600, flag: 'wx' });
      const need = `the server needs the encryption keys ${contents.keyIds.join(', ')}`;
      const text = `restored ${describe(contents)}\n${saved ? `the encryption keys are in ${path}` : need}`;
      return { text, data: { ...contents, keysSavedTo: saved ? path : null } };
    },
  },
];

/** On a PostgreSQL of its own, thrown away afterwards; the keys, if they are in it, are proven, too. */
async function verify({ clock, random }: CommandDeps, file: string, passphrase: string) {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-verify-'));
  try {
    const log = createLog('silent');
    await using embedded = await startEmbeddedPostgres({ dataDir: scratch, log, isDurable: false });
    const options: RestoreOptions = {
      file,
      passphrase,
      url: embedded.url,
      mediaDir: join(scratch, 'media'),
      clock,
    };
    const restored = await restoreBackup(options);
    if (restored.keys !== undefined) {
      const db = openDatabase({ url: embedded.url, poolSize: 1 });
      const keyring = new Keyring(parseKeys(restored.keys), random);
      await proveKeyring({ db, keyring, clock }).finally(() => db.end({ timeout: 5 }));
    }
    return restored;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function describe({ takenAt, tables, files }: Contents): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows in ${tables.length} tables and ${files} files, as of ${new Date(takenAt).toISOString()}`;
}
