import { createReadStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config, S3Config } from '#platform/config.ts';
import { flushDirectory, makeDirectory } from '#platform/files/whole-file.ts';
import type { ByteRange } from './rules.ts';
import { S3Store } from './s3-store.ts';
import type { MediaStore, StagedFile } from './store.ts';

/** The store that the settings name: an S3-compatible one, or the data directory. */
export function openMediaStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): MediaStore {
  return s3 ? new S3Store(s3) : new LocalStore(join(dataDir, 'media'));
}

/** @throws if the store does not answer, rejects the key, or has no such bucket */
export async function askMediaStore(s3: S3Config): Promise<void> {
  await new S3Store(s3).ask();
}

/** Files in 4,096 folders, so that none grows large. */
class LocalStore implements MediaStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(mediaId: string, { path }: StagedFile): Promise<void> {
    const folder = this.#folderOf(mediaId);
    await makeDirectory(folder);
    await rename(path, join(folder, mediaId));
    await flushDirectory(folder);
  }

  async read(mediaId: string, range: ByteRange | undefined): Promise<Readable | undefined> {
    const path = join(this.#folderOf(mediaId), mediaId);
    const found = await stat(path).catch(() => undefined);
    return found && createReadStream(path, range);
  }

  async remove(mediaId: string): Promise<void> {
    await rm(join(this.#folderOf(mediaId), mediaId), { force: true });
  }

  #folderOf(mediaId: string): string {
    return join(this.#directory, mediaId.slice(0, 2));
  }
}
