import { hash } from 'node:crypto';

/** The block size of SHA-256. */
const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;
/** Reused for messages that fit into it. */
const SCRATCH = Buffer.allocUnsafeSlow(16 * 1024);
const OUTER_BLOCK = Buffer.allocUnsafeSlow(BLOCK_BYTES + 32);
const KEY_BLOCK = Buffer.allocUnsafeSlow(BLOCK_BYTES);

/**
 * HMAC-SHA-256 (RFC 2104) of ASCII text followed by bytes, computed with two one-shot hashes: `createHmac` creates an object
 * that the garbage collector must finalize, and takes more than twice as long (bench/RESULTS.md).
 */
export function hmacSha256(
  key: Buffer,
  { prefix, body }: { prefix: string; body: Buffer },
  encoding: 'hex' | 'base64',
): string {
  KEY_BLOCK.fill(0);
  (key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key).copy(KEY_BLOCK);
  const length = BLOCK_BYTES + prefix.length + body.length;
  const inner = length > SCRATCH.length ? Buffer.allocUnsafe(length) : SCRATCH.subarray(0, length);
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const byte = KEY_BLOCK[i] as number;
    inner[i] = byte ^ INNER;
    OUTER_BLOCK[i] = byte ^ OUTER;
  }
  inner.write(prefix, BLOCK_BYTES, 'latin1');
  body.copy(inner, BLOCK_BYTES + prefix.length);
  hash('sha256', inner, 'buffer').copy(OUTER_BLOCK, BLOCK_BYTES);
  return hash('sha256', OUTER_BLOCK, encoding);
}
