import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import native from 'sodium-native';
import type { Random } from '#platform/random.ts';

// The type package describes an older form of these functions.
const sodium = native as unknown as SecretStream;

/**
 * A file that only the passphrase opens: a first line that says what it is, the salt, and then pieces sealed with
 * libsodium's secretstream (XChaCha20-Poly1305). Each piece stands in its order or does not open; the last one is marked,
 * so that a file that was cut off is told from a whole one. The first piece is empty and followed by a digest of all before
 * it, so that another passphrase is told from damage.
 */
const FIRST_LINE = Buffer.from('parley sealed file 2\n');
/** Of version 0.2, without that first piece and digest. */
const FIRST_LINE_BEFORE = Buffer.from('parley sealed file 1\n');
const SALT_BYTES = sodium.crypto_pwhash_SALTBYTES;
const HEADER_BYTES = sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES;
const OVERHEAD_BYTES = sodium.crypto_secretstream_xchacha20poly1305_ABYTES;
const DIGEST_BYTES = 32;
const PIECE_BYTES = 256 * 1024;
/** Written to the disk at once, so that a slow one never has more than this to catch up with when all has to end. */
const FLUSH_BYTES = 8 * 1024 * 1024;
const MESSAGE = sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE;
const FINAL = sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL;
export const SHORTEST_PASSPHRASE = 12;

const OTHER_PASSPHRASE = 'the passphrase does not open the file';
const DAMAGED = 'the file is damaged or cut off';
const FOREIGN = 'the file was not encrypted by Parley, or its beginning is damaged';

/**
 * argon2id at libsodium's moderate cost: 256 MB and about a second for each guess. It cannot be cut off: once the signal is
 * aborted, nobody waits for it.
 */
export async function keyFromPassphrase(
  passphrase: string,
  salt: Buffer,
  signal?: AbortSignal,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([deriveOnce(passphrase, salt), stopped.promise]);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** By salt and passphrase: a command that reads what it has written, as `backup --verify` does, derives its key once. */
const derived = new Map<string, Promise<Buffer>>();

function deriveOnce(passphrase: string, salt: Buffer): Promise<Buffer> {
  const source = salt.toString('hex') + passphrase;
  const deriving = derived.get(source) ?? derive(passphrase, salt);
  derived.set(source, deriving);
  return deriving;
}

async function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  const key = sodium.sodium_malloc(sodium.crypto_secretstream_xchacha20poly1305_KEYBYTES);
  await sodium.crypto_pwhash_async(
    key,
    Buffer.from(passphrase),
    salt,
    sodium.crypto_pwhash_OPSLIMIT_MODERATE,
    sodium.crypto_pwhash_MEMLIMIT_MODERATE,
    sodium.crypto_pwhash_ALG_ARGON2ID13,
  );
  return key;
}

/** Writes one sealed file; `end` makes it whole. */
export class SealingWriter {
  readonly #file: FileHandle;
  readonly #state: Buffer;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #unflushedBytes = 0;

  private constructor(file: FileHandle, state: Buffer) {
    this.#file = file;
    this.#state = state;
  }

  static async begin(
    file: FileHandle,
    { passphrase, random, signal }: { passphrase: string; random: Random; signal: AbortSignal },
  ): Promise<SealingWriter> {
    const salt = random.bytes(SALT_BYTES);
    const header = Buffer.alloc(HEADER_BYTES);
    const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
    const key = await keyFromPassphrase(passphrase, salt, signal);
    sodium.crypto_secretstream_xchacha20poly1305_init_push(state, header, key);
    const empty = Buffer.alloc(OVERHEAD_BYTES);
    sodium.crypto_secretstream_xchacha20poly1305_push(state, empty, Buffer.alloc(0), null, MESSAGE);
    const beginning = Buffer.concat([FIRST_LINE, salt, header, empty]);
    await file.appendFile(Buffer.concat([beginning, digestOf(beginning)]));
    return new SealingWriter(file, state);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < PIECE_BYTES) return;
    const all = Buffer.concat(this.#waiting);
    const whole = all.length - (all.length % PIECE_BYTES);
    for (let at = 0; at < whole; at += PIECE_BYTES)
      await this.#push(all.subarray(at, at + PIECE_BYTES), MESSAGE);
    this.#waiting = [all.subarray(whole)];
    this.#waitingBytes = all.length - whole;
  }

  async end(): Promise<void> {
    await this.#push(Buffer.concat(this.#waiting), FINAL);
  }

  async #push(piece: Buffer, tag: number): Promise<void> {
    const sealed = Buffer.allocUnsafe(piece.length + OVERHEAD_BYTES);
    sodium.crypto_secretstream_xchacha20poly1305_push(this.#state, sealed, piece, null, tag);
    await this.#file.appendFile(sealed);
    this.#unflushedBytes += sealed.length;
    if (this.#unflushedBytes < FLUSH_BYTES) return;
    await this.#file.datasync();
    this.#unflushedBytes = 0;
  }
}

/**
 * Reads the output of a {@link SealingWriter}, piece by piece.
 *
 * @throws when the passphrase is another one, or when a byte was changed or is missing
 */
export async function* readSealed(
  source: Readable,
  passphrase: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(source);
  const first = await bytes.take(FIRST_LINE.length);
  const isOfBefore = first.equals(FIRST_LINE_BEFORE);
  if (!first.equals(FIRST_LINE) && !isOfBefore) throw new Error(FOREIGN);
  const [salt, header] = [await bytes.take(SALT_BYTES), await bytes.take(HEADER_BYTES)];
  const empty = await bytes.take(isOfBefore ? 0 : OVERHEAD_BYTES);
  const digest = await bytes.take(isOfBefore ? 0 : DIGEST_BYTES);
  if (header.length < HEADER_BYTES) throw new Error('the file is cut off');
  if (!isOfBefore && !digest.equals(digestOf(Buffer.concat([first, salt, header, empty]))))
    throw new Error(DAMAGED);
  const key = await keyFromPassphrase(passphrase, salt, signal);
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_pull(state, header, key);
  const tag = Buffer.alloc(1);
  const open = (sealed: Buffer, fault: string) => {
    const piece = Buffer.allocUnsafe(sealed.length - OVERHEAD_BYTES);
    try {
      sodium.crypto_secretstream_xchacha20poly1305_pull(state, piece, tag, sealed, null);
    } catch {
      throw new Error(fault);
    }
    return piece;
  };
  if (!isOfBefore) open(empty, OTHER_PASSPHRASE);
  let fault = isOfBefore ? `${OTHER_PASSPHRASE}, or its beginning is damaged` : DAMAGED;
  do {
    const sealed = await bytes.take(PIECE_BYTES + OVERHEAD_BYTES);
    if (sealed.length < OVERHEAD_BYTES) throw new Error('the file is cut off');
    yield open(sealed, fault);
    fault = DAMAGED;
  } while (tag[0] !== FINAL);
  if ((await bytes.take(1)).length > 0) throw new Error('the file has data after its end');
}

/** The contents of sealed files, as messages name them. */
const CONTENTS = {
  backup: 'a backup, which "parley restore" reads',
  export: 'an export, which "parley import parley" reads',
};

/**
 * As {@link readSealed}, for a file that holds this.
 *
 * @throws also when it holds the other
 */
export async function* readSealedAs(
  wanted: keyof typeof CONTENTS,
  ...given: Parameters<typeof readSealed>
): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const piece of readSealed(...given)) {
    // An export is a zip archive.
    const found = piece.subarray(0, 2).toString('latin1') === 'PK' ? 'export' : 'backup';
    if (isFirst && found !== wanted) throw new Error(`the file is ${CONTENTS[found]}`);
    isFirst = false;
    yield piece;
  }
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** By its first line alone: what has its final name was written to the end. */
export async function isSealedFile(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0);
  const first = buffer.subarray(0, bytesRead);
  return first.equals(FIRST_LINE) || first.equals(FIRST_LINE_BEFORE);
}

/** Takes bytes from a stream in the portions that the format has. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Fewer only where the stream ends. */
  async take(count: number): Promise<Buffer> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < count) {
      const { value, done } = await this.#chunks.next();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = all.subarray(count);
    return all.subarray(0, count);
  }
}

/** libsodium as it is: the type package describes an older form of these functions. */
export type SecretStream = Omit<typeof native, keyof PresentForm> & PresentForm;

interface PresentForm {
  crypto_secretstream_xchacha20poly1305_STATEBYTES: number;
  crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: number;
  crypto_secretstream_xchacha20poly1305_TAG_FINAL: number;
  crypto_pwhash_async(
    key: Buffer,
    password: Buffer,
    salt: Buffer,
    opsLimit: number,
    memLimit: number,
    algorithm: number,
  ): Promise<void>;
  crypto_secretstream_xchacha20poly1305_init_push(state: Buffer, header: Buffer, key: Buffer): void;
  crypto_secretstream_xchacha20poly1305_push(
    state: Buffer,
    ciphertext: Buffer,
    message: Buffer,
    additionalData: null,
    tag: number,
  ): number;
  crypto_secretstream_xchacha20poly1305_init_pull(state: Buffer, header: Buffer, key: Buffer): void;
  crypto_secretstream_xchacha20poly1305_pull(
    state: Buffer,
    message: Buffer,
    tag: Buffer,
    ciphertext: Buffer,
    additionalData: null,
  ): number;
}
