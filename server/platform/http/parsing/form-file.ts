import type { Readable } from 'node:stream';
import { say } from '#contract/reasons.ts';
import { ApiError, invalidArgument } from '../../errors.ts';

/** The one file of a `multipart/form-data` body, read as it arrives. */
export interface FormFile {
  /** Ends with an ApiError if the form is faulty, once all of it has arrived. */
  content: AsyncIterable<Buffer>;
  /** Known once the content has ended. */
  fileName(): string;
}

const FORM_TYPE = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const CLOSING = Buffer.from('--');
const HEAD_BYTES = 8 * 1024;

/**
 * Opens a form whose field `file` is a file. Other fields are ignored; a second file is an error.
 *
 * @throws ApiError 415
 */
export function openFormFile(contentType: string | undefined, body: Readable): FormFile {
  const [, quoted, plain] = FORM_TYPE.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) {
    throw new ApiError(415, 'invalid-argument', say('http.content-type', { type: 'multipart/form-data' }));
  }
  let fileName = '';
  const content = readParts(body, boundary, (given) => {
    fileName = given;
  });
  return { content, fileName: () => fileName };
}

async function* readParts(
  body: Readable,
  boundary: string,
  onName: (fileName: string) => void,
): AsyncGenerator<Buffer> {
  const reader = new PartReader(body, boundary);
  let isFound = false;
  try {
    for await (const _ of reader.content());
    for (let head = await reader.nextHead(); head !== undefined; head = await reader.nextHead()) {
      const { name, fileName } = readHead(head);
      if (name === 'file') {
        if (isFound) throw invalidArgument('file', 'repeated');
        isFound = true;
        onName(fileName ?? '');
        yield* reader.content();
      } else if (fileName !== undefined) throw invalidArgument(name, 'unknown');
      else for await (const _ of reader.content());
    }
    if (!isFound) throw invalidArgument('file', 'required');
  } finally {
    // Many clients read the answer only after they have sent everything.
    await reader.drain();
  }
}

/** Splits a body at its boundaries (RFC 2046). */
class PartReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** The first boundary, too, follows the end of a line. */
  #rest: Buffer = LINE_END;

  constructor(body: Readable, boundary: string) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** The headers of the next part; undefined after the last. */
  async nextHead(): Promise<string | undefined> {
    while (this.#rest.length < CLOSING.length) await this.#read();
    if (this.#rest.subarray(0, CLOSING.length).equals(CLOSING)) return undefined;
    let end = this.#rest.indexOf(HEAD_END);
    while (end < 0) {
      if (this.#rest.length > HEAD_BYTES) throw invalidArgument('body', 'not-valid');
      await this.#read();
      end = this.#rest.indexOf(HEAD_END);
    }
    const head = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + HEAD_END.length);
    return head;
  }

  /** The bytes up to the next boundary. */
  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(this.#delimiter);
      // The end of a chunk may be the beginning of the boundary.
      const known = end < 0 ? this.#rest.length - this.#delimiter.length + 1 : end;
      if (known > 0) yield this.#rest.subarray(0, known);
      this.#rest = this.#rest.subarray(end < 0 ? Math.max(known, 0) : end + this.#delimiter.length);
      if (end >= 0) return;
      await this.#read();
    }
  }

  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async #read(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done) throw invalidArgument('body', 'ended-early');
    this.#rest = Buffer.concat([this.#rest, value]);
  }
}

function readHead(head: string): { name: string; fileName: string | undefined } {
  const [, parameters] = /^content-disposition:\s*form-data(;.*)$/im.exec(head) ?? [];
  const name = parameters && readParameter(parameters, 'name');
  if (!parameters || name === undefined) throw invalidArgument('body', 'not-valid');
  return { name, fileName: readEncoded(parameters) ?? readParameter(parameters, 'filename') };
}

/** Browsers escape quotation marks and line ends; no name of a file needs them. */
function readParameter(parameters: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;"]+))`, 'i').exec(parameters) ?? [];
  return (quoted ?? plain)?.replace(/\\"|%22|%0[AD]/gi, '');
}

/** As some clients send names beyond ASCII (RFC 8187). */
function readEncoded(parameters: string): string | undefined {
  const [, encoded] = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(parameters) ?? [];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
