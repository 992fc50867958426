import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type postgres from 'postgres';
import type { Clock } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import { writeData, writeStatement } from './frames.ts';
import { SealingWriter } from './sealed-stream.ts';
import { copyOut, listMigrations, listTables, openForCopy, type Table } from './tables.ts';

export interface Contents {
  takenAt: number;
  migrations: string[];
  keyIds: number[];
  tables: { name: string; rows: number; sha256: string }[];
  files: number;
  bytes: number;
}

export interface TakeOptions {
  url: string;
  passphrase: string;
  out: string;
  /** Below it lie the uploads, unless they are elsewhere. */
  mediaDir: string;
  /** The text of the encryption keys, when they are to go along. */
  keys: string | undefined;
  clock: Clock;
  random: Random;
}

/**
 * Writes all of the database into one sealed file, as it is at one moment, while the server runs: every table is read
 * in one repeatable-read transaction. The file appears whole or not at all.
 */
export async function takeBackup(options: TakeOptions): Promise<Contents> {
  const unfinished = `${options.out}.part`;
  const sql = openForCopy(options.url);
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
    const out = new SealingWriter(file, options.passphrase, options.random);
    const contents = await sql.begin('isolation level repeatable read read only', (tx) =>
      writeAll(tx, out, options),
    );
    await out.end();
    await rename(unfinished, options.out);
    return contents;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function writeAll(
  tx: postgres.TransactionSql,
  out: SealingWriter,
  { mediaDir, keys, clock }: TakeOptions,
): Promise<Contents> {
  // The first statement takes the snapshot: what was acknowledged before it is in it.
  const takenAt = clock.now();
  const migrations = await listMigrations(tx);
  if (migrations.length === 0) throw new Error('the database holds no Parley');
  const keyIds = (await tx<{ keyId: number }[]>`select key_id as "keyId" from encryption_keys`).map(
    ({ keyId }) => keyId,
  );
  const contents: Contents = { takenAt, migrations, keyIds, tables: [], files: 0, bytes: 0 };
  await writeStatement(out, { kind: 'backup', format: 1, takenAt, migrations, keyIds });
  if (keys !== undefined) await writeStatement(out, { kind: 'keys', text: keys });
  for (const table of await listTables(tx)) {
    const total = await writeTable(tx, out, table);
    contents.tables.push({ name: table.name, rows: total.rows, sha256: total.sha256 });
    contents.bytes += total.bytes;
  }
  for (const path of await listFiles(mediaDir)) {
    const file = await open(join(mediaDir, ...path.split('/'))).catch(skipMissing);
    if (!file) continue;
    await writeStatement(out, { kind: 'file', path });
    const total = await writeStream(out, file.createReadStream());
    await writeStatement(out, { kind: 'total', ...total });
    contents.files += 1;
    contents.bytes += total.bytes;
  }
  await writeStatement(out, { kind: 'end' });
  return contents;
}

async function writeTable(tx: postgres.TransactionSql, out: SealingWriter, table: Table) {
  await writeStatement(out, { kind: 'table', name: table.name, columns: table.columns });
  const [counted] = await tx<{ rows: number }[]>`select count(*)::integer as rows from ${tx(table.name)}`;
  const rows = counted?.rows ?? 0;
  const total = await writeStream(out, await copyOut(tx, table).readable());
  await writeStatement(out, { kind: 'total', rows, ...total });
  return { rows, ...total };
}

async function writeStream(out: SealingWriter, source: Readable) {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
    await writeData(out, chunk);
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** What nobody used is removed while we read: then the snapshot's row leads nowhere, as it would have a little later. */
function skipMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Uploads are written once and never changed: those of the snapshot are all there, and later ones do no harm. */
async function listFiles(directory: string): Promise<string[]> {
  if (!existsSync(directory)) return [];
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
      // Uploads that are under way.
      .filter((path) => !path.startsWith('staging/'))
      .sort()
  );
}
