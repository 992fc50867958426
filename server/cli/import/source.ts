import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { ExportError, type Where } from './items.ts';

/** The files of an export: a zip archive, a folder, or a file with its files beside it. */
export interface Source extends AsyncDisposable {
  /** The path of the given file, if it is neither an archive nor a folder. */
  main: string | undefined;
  /** The names in a folder, in order; none for a folder that does not exist. */
  list(folder: string): Promise<string[]>;
  /** Undefined if there is no such file. @throws for a path that leads out of the export */
  find(path: string): Promise<SourceEntry | undefined>;
}

export interface SourceEntry {
  path: string;
  size: number;
  open(): Promise<Readable>;
}

export async function openSource(file: string): Promise<Source> {
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new Error(`there is no file ${file}`);
  if (found.isDirectory()) return new FolderSource(await realpath(file), undefined);
  if (/\.zip$/i.test(file) || (await isArchive(file))) return ZipSource.open(file);
  return new FolderSource(await realpath(dirname(file)), basename(file));
}

/** The file of a message. @throws ExportError with the place of the message for a path that leads out of the export */
export async function findFile(source: Source, path: string, where: Where): Promise<SourceEntry | undefined> {
  try {
    return await source.find(path);
  } catch (error) {
    throw new ExportError(where, (error as Error).message);
  }
}

/** Whatever its name is. */
async function isArchive(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return buffer.toString('latin1') === 'PK\x03\x04';
}

function requireInside(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (/^(?:[a-z]:|[\\/])/i.test(path) || parts.includes('..') || path.includes('\0'))
    throw new Error(`${JSON.stringify(path)} leads out of the export`);
  return parts.join('/');
}

class FolderSource implements Source {
  readonly main: string | undefined;
  readonly #root: string;

  constructor(root: string, main: string | undefined) {
    this.#root = root;
    this.main = main;
  }

  async list(folder: string): Promise<string[]> {
    return (await readdir(join(this.#root, requireInside(folder))).catch(() => [])).toSorted();
  }

  async find(given: string): Promise<SourceEntry | undefined> {
    const path = requireInside(given);
    const real = await realpath(join(this.#root, path)).catch(() => undefined);
    if (real === undefined) return undefined;
    // A symbolic link may lead anywhere.
    if (relative(this.#root, real).split(sep)[0] === '..')
      throw new Error(`${JSON.stringify(given)} leads out of the export`);
    const found = await stat(real);
    return found.isFile() ? { path, size: found.size, open: async () => createReadStream(real) } : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** All that is kept of an entry: there may be a million. */
type Entry = Pick<
  yauzl.Entry,
  'compressedSize' | 'compressionMethod' | 'crc32' | 'relativeOffsetOfLocalHeader' | 'uncompressedSize'
>;

/** Slack, among others, writes names in UTF-8 without the flag that says so. */
function nameOf({ fileName, fileNameRaw }: yauzl.Entry): string {
  return isUtf8(fileNameRaw) && !isAscii(fileNameRaw) ? fileNameRaw.toString() : fileName;
}

class ZipSource implements Source {
  readonly main = undefined;
  readonly #zip: yauzl.ZipFile;
  readonly #entries = new Map<string, Entry>();
  readonly #folders = new Map<string, Set<string>>();

  constructor(zip: yauzl.ZipFile) {
    this.#zip = zip;
  }

  /** @throws for an archive with names that lead out of it, or with encrypted files */
  static async open(file: string): Promise<ZipSource> {
    const zip = await yauzl
      .openPromise(file, { autoClose: false, lazyEntries: true })
      .catch((error: Error) => {
        throw new Error(`${file} is not a zip archive: ${error.message}`);
      });
    const source = new ZipSource(zip);
    try {
      for await (const entry of zip.eachEntry()) source.#add(file, entry);
    } catch (error) {
      zip.close();
      throw new Error(`${file}: ${(error as Error).message}`);
    }
    return source;
  }

  #add(file: string, entry: yauzl.Entry): void {
    const { compressedSize, compressionMethod, relativeOffsetOfLocalHeader, uncompressedSize } = entry;
    const { crc32 } = entry;
    const fileName = nameOf(entry);
    const path = requireInside(fileName);
    if (entry.isEncrypted()) throw new Error(`${fileName} in ${file} is encrypted`);
    for (let child = path; child !== ''; ) {
      const folder = dirname(child) === '.' ? '' : dirname(child);
      const names = this.#folders.get(folder) ?? new Set();
      this.#folders.set(folder, names.add(basename(child)));
      child = folder;
    }
    if (!fileName.endsWith('/'))
      this.#entries.set(path, {
        compressedSize,
        compressionMethod,
        crc32,
        relativeOffsetOfLocalHeader,
        uncompressedSize,
      });
  }

  async list(folder: string): Promise<string[]> {
    return [...(this.#folders.get(requireInside(folder)) ?? [])].toSorted();
  }

  async find(given: string): Promise<SourceEntry | undefined> {
    const path = requireInside(given);
    const entry = this.#entries.get(path);
    return entry && { path, size: entry.uncompressedSize, open: () => this.#open(path, entry) };
  }

  async #open(path: string, entry: Entry): Promise<Readable> {
    const { compressedSize, compressionMethod, uncompressedSize } = entry;
    if (compressionMethod !== 0 && compressionMethod !== 8)
      throw new Error(`${path} is compressed in a way that is not supported`);
    // The rest of the entry is not looked at.
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry as yauzl.Entry, {
      minimal: true,
    });
    const isDeflated = compressionMethod === 8;
    const { promise, resolve, reject } = Promise.withResolvers<Readable>();
    // The variant with a promise calls another function (yauzl 3.4.0).
    this.#zip.openReadStreamLowLevel(
      fileDataStart,
      compressedSize,
      0,
      compressedSize,
      isDeflated,
      uncompressedSize,
      (error, stream) => (error ? reject(error) : resolve(stream)),
    );
    return Readable.from(undamaged(path, await promise, entry.crc32), { objectMode: false });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#zip.close();
  }
}

/** @throws where the checksum differs, which yauzl does not compare */
async function* undamaged(path: string, content: Readable, checksum: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== checksum) throw new Error(`${path} is damaged: its checksum differs`);
}
