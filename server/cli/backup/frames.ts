import { ByteReader, type SealingWriter } from './sealed-stream.ts';

/** The header of a backup. */
export interface BackupHead {
  kind: 'backup';
  format: 1;
  /** When its snapshot was taken; every message acknowledged before is in it. Epoch milliseconds. */
  takenAt: number;
  /** Names of the migrations that its schema has. */
  migrations: string[];
  /** The encryption keys that its rows need. */
  keyIds: number[];
  /** Where the uploads are that are not in the file. */
  store?: ObjectStore | undefined;
}

/** An S3-compatible store; the key of an upload is `media/<mediaId>`, and the table `media` names them all. */
export interface ObjectStore {
  endpoint: string;
  bucket: string;
  /** How many uploads people use that are there. */
  files: number;
}

export interface TableHead {
  kind: 'table';
  name: string;
  columns: string[];
}

export interface FileHead {
  kind: 'file';
  /** Below the media directory. */
  path: string;
}

/** After the data of a table or file: what it must come to. */
export interface Total {
  kind: 'total';
  rows?: number;
  bytes: number;
  sha256: string;
}

/** The encryption keys themselves, when the operator wants them along. */
export interface KeysFrame {
  kind: 'keys';
  text: string;
}

export type Statement = BackupHead | TableHead | FileHead | Total | KeysFrame | { kind: 'end' };
type Frame = { statement: Statement } | { data: Buffer };

const IS_STATEMENT = 1;
const IS_DATA = 2;
const HEAD_BYTES = 5;
/** Nothing that we write is longer; what claims to be is damaged. */
const LONGEST = 64 * 1024 * 1024;

export async function writeStatement(out: SealingWriter, statement: Statement): Promise<void> {
  await writeFrame(out, IS_STATEMENT, Buffer.from(JSON.stringify(statement)));
}

export async function writeData(out: SealingWriter, data: Buffer): Promise<void> {
  await writeFrame(out, IS_DATA, data);
}

async function writeFrame(out: SealingWriter, type: number, payload: Buffer): Promise<void> {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = type;
  head.writeUInt32BE(payload.length, 1);
  await out.write(head);
  await out.write(payload);
}

/** Reads statements and the data between them. */
export class FrameReader {
  readonly #bytes: ByteReader;
  #next: Frame | undefined;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#bytes = new ByteReader(pieces);
  }

  async statement(): Promise<Statement> {
    const frame = await this.#read();
    if (!('statement' in frame)) throw new Error('the backup is damaged');
    return frame.statement;
  }

  /** The data up to the next statement. */
  async *data(): AsyncGenerator<Buffer> {
    for (;;) {
      const frame = await this.#read();
      if ('statement' in frame) {
        this.#next = frame;
        return;
      }
      yield frame.data;
    }
  }

  /** Until the file's own end, so that its last piece is proven, too. */
  async end(): Promise<void> {
    if ((await this.#bytes.take(1)).length > 0) throw new Error('the backup has data after its end');
  }

  async #read(): Promise<Frame> {
    const kept = this.#next;
    this.#next = undefined;
    if (kept) return kept;
    const head = await this.#bytes.take(HEAD_BYTES);
    const length = head.length === HEAD_BYTES ? head.readUInt32BE(1) : LONGEST + 1;
    if (length > LONGEST) throw new Error('the backup is damaged');
    const payload = await this.#bytes.take(length);
    if (payload.length < length) throw new Error('the backup is damaged');
    if (head[0] === IS_DATA) return { data: payload };
    return { statement: JSON.parse(payload.toString()) as Statement };
  }
}
