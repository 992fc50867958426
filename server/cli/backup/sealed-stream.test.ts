import assert from 'node:assert/strict';
import { mkdtempDisposable, open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import native from 'sodium-native';
import { systemRandom } from '#platform/random.ts';
import { keyFromPassphrase, readSealed, SealingWriter, type SecretStream } from './sealed-stream.ts';

// The type package describes an older form of these functions.
const sodium = native as unknown as SecretStream;
const PASSPHRASE = 'correct horse battery';

/** A file of one piece, as version 0.2 wrote it. */
async function sealAsBefore(content: Buffer): Promise<Buffer> {
  const salt = systemRandom.bytes(sodium.crypto_pwhash_SALTBYTES);
  const header = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES);
  const state = Buffer.alloc(sodium.crypto_secretstream_xchacha20poly1305_STATEBYTES);
  const sealed = Buffer.alloc(content.length + sodium.crypto_secretstream_xchacha20poly1305_ABYTES);
  sodium.crypto_secretstream_xchacha20poly1305_init_push(
    state,
    header,
    await keyFromPassphrase(PASSPHRASE, salt),
  );
  const final = sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL;
  sodium.crypto_secretstream_xchacha20poly1305_push(state, sealed, content, null, final);
  return Buffer.concat([Buffer.from('parley sealed file 1\n'), salt, header, sealed]);
}

async function read(file: Buffer, passphrase = PASSPHRASE): Promise<string> {
  const pieces: Buffer[] = [];
  const sealed = readSealed(Readable.from([file]), passphrase, new AbortController().signal);
  for await (const piece of sealed) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a file of version 0.2 opens; it cannot tell another passphrase from a damaged beginning', async () => {
  const file = await sealAsBefore(Buffer.from('every row'));
  assert.equal(await read(file), 'every row');
  const either = /^Error: the passphrase does not open the file, or its beginning is damaged$/;
  await assert.rejects(read(file, 'another passphrase'), either);
  const damaged = Buffer.from(file);
  damaged.writeUInt8(damaged.readUInt8(file.length - 1) ^ 1, file.length - 1);
  await assert.rejects(read(damaged), either);
});

test('a file that is damaged at any byte is called damaged, and another passphrase is not', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'parley-sealed-'));
  const path = join(directory.path, 'sealed');
  const signal = new AbortController().signal;
  {
    await using file = await open(path, 'wx');
    const writer = await SealingWriter.begin(file, { passphrase: PASSPHRASE, random: systemRandom, signal });
    await writer.write(Buffer.alloc(300 * 1024, 'every row'));
    await writer.end();
  }
  const whole = await readFile(path);
  await assert.rejects(read(whole, 'another passphrase'), /^Error: the passphrase does not open the file$/);
  // What comes before the pieces of the content, byte for byte; then their first and last bytes.
  const beginning = whole.length - 300 * 1024 - 2 * sodium.crypto_secretstream_xchacha20poly1305_ABYTES;
  const pieces = [beginning, 256 * 1024, beginning + 256 * 1024 + 17, whole.length - 1];
  for (const place of [...Array(beginning).keys(), ...pieces]) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place);
    await assert.rejects(read(damaged), /^Error: the file .*damaged/, `byte ${place}`);
  }
});
