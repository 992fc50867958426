import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '#platform/clock.ts';
import type { KeyProof } from '#platform/crypto/master-keys.ts';
import { CopyConnection } from '#platform/database/copy.ts';
import { openPatiently } from '#platform/database.ts';
import {
  createSchema,
  isBefore02,
  laterMigrations,
  listMigrationFiles,
  migrate,
} from '#platform/schema/migrate.ts';
import { type BackupHead, FrameReader, type TableHead, type Total } from './frames.ts';
import { type Progress, withinIdleDeadline } from './idle-deadline.ts';
import { readSealedAs } from './sealed-stream.ts';
import { copyInto, copyOutOf, listMigrations, listTables } from './tables.ts';
import type { Contents } from './take.ts';
import { uploadIn } from './uploads.ts';

/** A table of the baseline that the release 0.2.0 does not have; a migration drops it. */
const DROPPED_BY_0_2 = 'server_processes';

/** A backup that the passphrase opens and that this version can restore; only its beginning has been read. */
export interface OpenedBackup extends Disposable {
  head: BackupHead;
  reader: FrameReader;
}

export interface RestoreOptions {
  /** A database without any of Parley's tables. */
  url: string;
  mediaDir: string;
  clock: Clock;
  signal: AbortSignal;
  idleMs?: number | undefined;
  /** The last word before anything counts: when it throws, the database stays empty. */
  beforeCommit(restored: Restored, proofs: readonly KeyProof[]): Promise<void>;
  /** The rows are there from now on, whatever becomes of later migrations. */
  afterCommit?(): void;
}

export interface Restored extends Contents {
  /** The encryption keys, when the backup holds them. */
  keys: string | undefined;
}

export async function openBackup(
  file: string,
  { passphrase, signal }: { passphrase: string; signal: AbortSignal },
): Promise<OpenedBackup> {
  const source = createReadStream(file);
  try {
    const reader = new FrameReader(readSealedAs('backup', source, passphrase, signal));
    const head = await reader.statement();
    if (head.kind !== 'backup') throw new Error('the backup is damaged');
    const known = await listMigrationFiles();
    if (isBefore02(head.migrations, known))
      throw new Error(
        'the backup is of a version of Parley before 0.2: restore it with version 0.2, run that for a day, and take a new one',
      );
    const [later] = laterMigrations(head.migrations, known);
    if (later !== undefined)
      throw new Error(`the backup was made by a later version of Parley (${later}): install that version`);
    return { head, reader, [Symbol.dispose]: () => void source.destroy() };
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/**
 * Brings a backup into an empty database: the schema that it had and all rows, in one transaction, each table compared with
 * its count and digest by reading it back. Later migrations run at the end.
 *
 * @throws when the database is not empty or the backup is damaged; the database is then as before, and who calls removes
 * the files that came; and after the commit, when a later migration fails
 */
export async function restoreBackup(backup: OpenedBackup, options: RestoreOptions): Promise<Restored> {
  const { url, clock } = options;
  const restored = await withinIdleDeadline(options, async (progress) => {
    await using connection = await CopyConnection.open({
      url,
      name: 'parley restore',
      signal: progress.signal,
    });
    if ((await listMigrations(connection)).length > 0)
      throw new Error('the database is not empty: restore into a new one');
    return await connection.transaction('', async () => {
      const all = await readAll({ ...options, ...progress, connection }, backup);
      const proofs = await connection.rows<KeyProof>('select key_id as "keyId", proof from encryption_keys');
      await options.beforeCommit(all, proofs);
      return all;
    });
  });
  options.afterCommit?.();
  const db = openPatiently(url);
  try {
    await migrate({ db, clock });
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`all is restored, but a later migration failed, which a start tries again: ${message}`, {
      cause,
    });
  } finally {
    await db.end({ timeout: 5 });
  }
  return restored;
}

interface Input extends Progress {
  connection: CopyConnection;
  mediaDir: string;
  clock: Clock;
}

async function readAll(input: Input, { head, reader }: OpenedBackup): Promise<Restored> {
  const { connection, clock } = input;
  const { kind: _, format: __, ...about } = head;
  const { migrations } = about;
  await createSchema((text, values) => connection.rows(text, values), { migrations, now: clock.now() });
  const restored: Restored = { ...about, tables: [], files: 0, bytes: 0, keys: undefined };
  for (;;) {
    const statement = await reader.statement();
    if (statement.kind === 'end') break;
    if (statement.kind === 'keys') {
      restored.keys = statement.text;
      continue;
    }
    const total =
      statement.kind === 'table'
        ? await readTable(input, reader, statement, restored)
        : statement.kind === 'file'
          ? await readFileInto(input, reader, statement.path, restored)
          : undefined;
    if (!total) throw new Error('the backup is damaged');
    restored.bytes += total.bytes;
  }
  await reader.end();
  await compareTables(input, restored);
  return restored;
}

async function readTable(
  { connection, moved }: Input,
  reader: FrameReader,
  table: TableHead,
  restored: Restored,
): Promise<Total> {
  const data = async function* () {
    for await (const chunk of reader.data()) {
      moved();
      yield chunk;
    }
  };
  await connection.copyIn(copyInto(table), data());
  const total = await readTotal(reader);
  restored.tables.push({ name: table.name, rows: total.rows ?? 0, sha256: total.sha256 });
  return total;
}

async function readFileInto(
  { mediaDir, moved, signal }: Input,
  reader: FrameReader,
  path: string,
  restored: Restored,
): Promise<Total> {
  const target = uploadIn(mediaDir, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const digest = createHash('sha256');
  const digested = async function* () {
    for await (const chunk of reader.data()) {
      digest.update(chunk);
      moved();
      yield chunk;
    }
  };
  await pipeline(digested(), createWriteStream(target, { mode: 0o600, flags: 'wx', flush: true }), {
    signal,
  });
  const total = await readTotal(reader);
  if (digest.digest('hex') !== total.sha256) throw new Error(`the file ${path} was changed`);
  restored.files += 1;
  return total;
}

async function readTotal(reader: FrameReader): Promise<Total> {
  const statement = await reader.statement();
  if (statement.kind !== 'total') throw new Error('the backup is damaged');
  return statement;
}

/** Reads back what was written: what the database now holds is what the backed-up one held. */
async function compareTables({ connection, moved }: Input, { tables }: Restored): Promise<void> {
  const present = new Map((await listTables(connection)).map((table) => [table.name, table]));
  for (const { name, rows, sha256 } of tables) {
    const table = present.get(name);
    if (!table) throw new Error(`the table ${name} is missing after the restore`);
    const digest = createHash('sha256');
    const counted = await connection.copyOut(copyOutOf(table), (chunk) => {
      digest.update(chunk);
      moved();
    });
    if (counted !== rows || digest.digest('hex') !== sha256) throw new Error(`the table ${name} was changed`);
  }
  const restored = new Set([...tables.map(({ name }) => name), DROPPED_BY_0_2]);
  const missing = [...present.keys()].filter((name) => !restored.has(name));
  if (missing.length > 0) throw new Error(`the backup lacks ${missing.join(', ')}`);
}
