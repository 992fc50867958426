import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Writes a zip archive, one file after the other; no more than a part of a file is in memory. */
export class Archive {
  readonly #zip = new ZipFile();
  readonly #failed = Promise.withResolvers<never>();
  readonly #written: Promise<void>;
  readonly #at: Date;

  constructor(write: (bytes: Buffer) => Promise<unknown>, at: number) {
    this.#at = new Date(at);
    this.#zip.on('error', this.#failed.reject);
    this.#written = this.#writeAll(write);
    this.#written.catch(this.#failed.reject);
    // It is thrown where somebody waits.
    this.#failed.promise.catch(() => undefined);
  }

  async #writeAll(write: (bytes: Buffer) => Promise<unknown>): Promise<void> {
    for await (const chunk of this.#zip.outputStream) await write(chunk as Buffer);
  }

  /** Adds lines of JSON, compressed. */
  async addLines(path: string, lines: AsyncIterable<object>): Promise<void> {
    await this.#add(path, Readable.from(joined(lines), { objectMode: false }), true);
  }

  /** Adds a file as it is. */
  async addFile(path: string, content: Readable): Promise<void> {
    await this.#add(path, content, false);
  }

  async end(): Promise<void> {
    this.#zip.end();
    await Promise.race([this.#written, this.#failed.promise]);
  }

  async #add(path: string, content: Readable, compress: boolean): Promise<void> {
    // Before the archive reads on, so that its error is not taken for an end.
    const ended = finished(content, { writable: false });
    this.#zip.addReadStream(content, path, { compress, mtime: this.#at, mode: 0o600 });
    try {
      await Promise.race([ended, this.#failed.promise]);
    } finally {
      content.destroy();
    }
  }
}

const JOINED_BYTES = 64 * 1024;

async function* joined(lines: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < JOINED_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
