import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '#platform/clock.ts';
import type { S3Config } from '#platform/config.ts';
import { CopyConnection } from '#platform/database/copy.ts';
import type { Random } from '#platform/random.ts';
import { type ObjectStore, writeData, writeStatement } from './frames.ts';
import { type Progress, withinIdleDeadline } from './idle-deadline.ts';
import { SealingWriter } from './sealed-stream.ts';
import { copyOutOf, listMigrations, listTables, type Table } from './tables.ts';
import { listUploads, uploadIn } from './uploads.ts';

export interface Contents {
  takenAt: number;
  migrations: string[];
  keyIds: number[];
  tables: { name: string; rows: number; sha256: string }[];
  files: number;
  bytes: number;
  /** Uploads that are not in the file but in an object store. */
  store?: ObjectStore | undefined;
}

export interface Taken extends Contents {
  /** How many uploads people use that are nowhere. */
  missingFiles: number;
}

export interface TakeOptions {
  url: string;
  passphrase: string;
  /** Below it lie the uploads, unless they are in the object store. */
  mediaDir: string;
  s3: S3Config | undefined;
  /** The text of the encryption keys, when they are to go along. */
  keys: string | undefined;
  clock: Clock;
  random: Random;
  signal: AbortSignal;
  idleMs?: number | undefined;
}

interface Output extends Progress {
  sealed: SealingWriter;
}

/**
 * Writes all of the server into one sealed file while it runs: every table is read in one repeatable-read transaction, as
 * it is at one moment, and then the uploads are.
 */
export async function takeBackup(file: FileHandle, options: TakeOptions): Promise<Taken> {
  return withinIdleDeadline(options, async (progress) => {
    const sealed = await SealingWriter.begin(file, { ...options, signal: progress.signal });
    const out = { ...progress, sealed };
    const { contents, files } = await writeDatabase(out, options);
    for (const path of files) await writeFile(out, options.mediaDir, path, contents);
    await writeStatement(sealed, { kind: 'end' });
    await sealed.end();
    return contents;
  });
}

/** Its snapshot is given back before the uploads are read: while it is held, PostgreSQL cannot clean up. */
async function writeDatabase(out: Output, options: TakeOptions) {
  const { url, keys, clock } = options;
  await using connection = await CopyConnection.open({ url, name: 'parley backup', signal: out.signal });
  return await connection.transaction('isolation level repeatable read read only', async () => {
    // On Citus one session a node, so that all that lies there is read as it is at one moment; elsewhere it means nothing.
    await connection.rows('set local citus.max_adaptive_executor_pool_size = 1');
    // The first statement takes the snapshot: what was acknowledged before it is in it.
    const takenAt = clock.now();
    const migrations = await listMigrations(connection);
    if (migrations.length === 0) throw new Error('this is not a database of Parley');
    const proofs = await connection.rows<{ keyId: number }>('select key_id as "keyId" from encryption_keys');
    const keyIds = proofs.map(({ keyId }) => keyId);
    const { files, store, missingFiles } = await findUploads(connection, options);
    const contents: Taken = {
      takenAt,
      migrations,
      keyIds,
      tables: [],
      files: 0,
      bytes: 0,
      store,
      missingFiles,
    };
    await writeStatement(out.sealed, { kind: 'backup', format: 1, takenAt, migrations, keyIds, store });
    if (keys !== undefined) await writeStatement(out.sealed, { kind: 'keys', text: keys });
    for (const table of await listTables(connection)) await writeTable(out, connection, table, contents);
    return { contents, files };
  });
}

/** Uploads are written once and never changed: those of the snapshot are all there, and later ones do no harm. */
async function findUploads(connection: CopyConnection, { mediaDir, s3 }: TakeOptions) {
  const used = await connection.rows<{ mediaId: string }>(
    'select media_id as "mediaId" from media where used_at is not null',
  );
  const files = await listUploads(mediaDir);
  const here = new Set(files.map((path) => path.split('/').at(-1)));
  const elsewhere = used.filter(({ mediaId }) => !here.has(mediaId)).length;
  if (s3) {
    const { endpoint, bucket } = s3;
    return { files, store: { endpoint, bucket, files: elsewhere }, missingFiles: 0 };
  }
  if (elsewhere > 0 && !existsSync(mediaDir))
    throw new Error(
      `people use ${elsewhere} uploads, but ${mediaDir} does not exist: set DATA_DIR, or S3_*, as for the server`,
    );
  return { files, store: undefined, missingFiles: elsewhere };
}

async function writeTable(out: Output, connection: CopyConnection, table: Table, contents: Taken) {
  await writeStatement(out.sealed, { kind: 'table', name: table.name, columns: table.columns });
  const measured = new Measure(out);
  const rows = await connection.copyOut(copyOutOf(table), (chunk) => measured.write(chunk));
  const total = measured.total();
  await writeStatement(out.sealed, { kind: 'total', rows, ...total });
  contents.tables.push({ name: table.name, rows, sha256: total.sha256 });
  contents.bytes += total.bytes;
}

async function writeFile(out: Output, mediaDir: string, path: string, contents: Taken): Promise<void> {
  await using file = await open(uploadIn(mediaDir, path)).catch(skipMissing);
  if (!file) return;
  await writeStatement(out.sealed, { kind: 'file', path });
  const measured = new Measure(out);
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    out.signal.throwIfAborted();
    await measured.write(chunk as Buffer);
  }
  const total = measured.total();
  await writeStatement(out.sealed, { kind: 'total', ...total });
  contents.files += 1;
  contents.bytes += total.bytes;
}

/** An unused upload may be removed while we read: its row in the snapshot then has no file. */
function skipMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Writes data, and knows what it came to. */
class Measure {
  readonly #out: Output;
  readonly #digest = createHash('sha256');
  #bytes = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#digest.update(chunk);
    this.#bytes += chunk.length;
    await writeData(this.#out.sealed, chunk);
    this.#out.moved();
  }

  total() {
    return { bytes: this.#bytes, sha256: this.#digest.digest('hex') };
  }
}
