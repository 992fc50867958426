import type { Readable } from 'node:stream';
import type { ByteRange } from './rules.ts';

/** An upload on the disk of this process, written and flushed. */
export interface StagedFile {
  path: string;
  size: number;
  /** SHA-256, in hexadecimal. */
  digest: string;
}

/** Where uploads are kept. */
export interface MediaStore {
  /** Takes over a staged file; once resolved, the file survives a power cut. */
  put(mediaId: string, file: StagedFile): Promise<void>;
  /** Undefined if it does not exist. */
  read(mediaId: string, range: ByteRange | undefined): Promise<Readable | undefined>;
  remove(mediaId: string): Promise<void>;
}
