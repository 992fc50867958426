import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import type { Clock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { listMigrationFiles, migrate } from '#platform/migrate.ts';
import { type BackupHead, FrameReader, type TableHead, type Total } from './frames.ts';
import { readSealed } from './sealed-stream.ts';
import { copyIn, copyOut, listMigrations, listTables, openForCopy } from './tables.ts';
import type { Contents } from './take.ts';

export interface RestoreOptions {
  file: string;
  passphrase: string;
  /** A database without any of Parley's tables. */
  url: string;
  mediaDir: string;
  clock: Clock;
}

export interface Restored extends Contents {
  /** The encryption keys, when the backup holds them. */
  keys: string | undefined;
}

/**
 * Brings a backup into an empty database: the schema that it had, then all rows in one transaction, each table compared
 * with its count and digest by reading it back. Later migrations run at the end.
 *
 * @throws before anything is changed when the database is not empty, or when the backup is of a later version
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { url, clock } = options;
  const reader = new FrameReader(readSealed(createReadStream(options.file), options.passphrase));
  const head = await reader.statement();
  if (head.kind !== 'backup') throw new Error('the backup is not in order');
  const sql = openForCopy(url);
  const db = openDatabase({ url, poolSize: 1, patienceMs: 20_000 });
  try {
    await requireRoom(sql, head);
    await migrate({ db, clock }, head.migrations);
    const restored = await sql.begin((tx) => readAll(tx, reader, head, options));
    await migrate({ db, clock });
    return restored;
  } finally {
    await Promise.all([sql.end({ timeout: 5 }), db.end({ timeout: 5 })]);
  }
}

async function requireRoom(sql: postgres.Sql, { migrations }: BackupHead): Promise<void> {
  if ((await listMigrations(sql)).length > 0)
    throw new Error('the database is not empty: restore into a new one');
  const known = await listMigrationFiles();
  const later = migrations.find((name) => !known.includes(name));
  if (later !== undefined)
    throw new Error(`the backup is of a later version of Parley (${later}): install that one`);
}

async function readAll(
  tx: postgres.TransactionSql,
  reader: FrameReader,
  { takenAt, migrations, keyIds }: BackupHead,
  { mediaDir }: RestoreOptions,
): Promise<Restored> {
  const restored: Restored = {
    takenAt,
    migrations,
    keyIds,
    tables: [],
    files: 0,
    bytes: 0,
    keys: undefined,
  };
  for (;;) {
    const statement = await reader.statement();
    if (statement.kind === 'end') break;
    if (statement.kind === 'keys') {
      restored.keys = statement.text;
      continue;
    }
    const total =
      statement.kind === 'table'
        ? await readTable(tx, reader, statement, restored)
        : statement.kind === 'file'
          ? await readFileInto(mediaDir, statement.path, reader, restored)
          : undefined;
    if (!total) throw new Error('the backup is not in order');
    restored.bytes += total.bytes;
  }
  await reader.end();
  await compareTables(tx, restored);
  return restored;
}

async function readTable(
  tx: postgres.TransactionSql,
  reader: FrameReader,
  table: TableHead,
  restored: Restored,
): Promise<Total> {
  await pipeline(Readable.from(reader.data()), await copyIn(tx, table).writable());
  const total = await readTotal(reader);
  restored.tables.push({ name: table.name, rows: total.rows ?? 0, sha256: total.sha256 });
  return total;
}

async function readFileInto(
  mediaDir: string,
  path: string,
  reader: FrameReader,
  restored: Restored,
): Promise<Total> {
  const place = normalize(join(mediaDir, ...path.split('/')));
  if (!place.startsWith(normalize(mediaDir))) throw new Error('the backup names a file outside');
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const digest = createHash('sha256');
  const digested = async function* () {
    for await (const data of reader.data()) {
      digest.update(data);
      yield data;
    }
  };
  await pipeline(Readable.from(digested()), createWriteStream(place, { mode: 0o600, flush: true }));
  const total = await readTotal(reader);
  if (digest.digest('hex') !== total.sha256) throw new Error(`the file ${path} is not as it was`);
  restored.files += 1;
  return total;
}

async function readTotal(reader: FrameReader): Promise<Total> {
  const statement = await reader.statement();
  if (statement.kind !== 'total') throw new Error('the backup is not in order');
  return statement;
}

/** Reads back what was written: what the database now holds is what the backed-up one held. */
async function compareTables(tx: postgres.TransactionSql, { tables }: Restored): Promise<void> {
  const present = new Map((await listTables(tx)).map((table) => [table.name, table]));
  for (const { name, rows, sha256 } of tables) {
    const table = present.get(name);
    if (!table) throw new Error(`the table ${name} is missing after the restore`);
    const digest = createHash('sha256');
    for await (const chunk of await copyOut(tx, table).readable()) digest.update(chunk as Buffer);
    const [counted] = await tx<{ rows: number }[]>`select count(*)::integer as rows from ${tx(name)}`;
    if (counted?.rows !== rows || digest.digest('hex') !== sha256)
      throw new Error(`the table ${name} is not as it was`);
  }
  const missing = [...present.keys()].filter((name) => !tables.some((table) => table.name === name));
  if (missing.length > 0) throw new Error(`the backup lacks ${missing.join(', ')}`);
}
