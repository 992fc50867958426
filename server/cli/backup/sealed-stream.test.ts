import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import native from 'sodium-native';
import { systemRandom } from '#platform/random.ts';
import { keyFromPassphrase, readSealed, type SecretStream } from './sealed-stream.ts';

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
