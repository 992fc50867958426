import { randomFillSync } from 'node:crypto';

/** The only source of randomness. */
export interface Random {
  /** Cryptographically strong bytes in a buffer that the caller may keep. */
  bytes(length: number): Buffer;
}

const POOL_BYTES = 16 * 1024;
let pool = Buffer.alloc(0);
let drawn = 0;

/** Draws from a pool: one system call is enough for hundreds of IDs. */
export const systemRandom: Random = {
  bytes(length) {
    if (drawn + length > pool.length) {
      pool = randomFillSync(Buffer.allocUnsafeSlow(Math.max(POOL_BYTES, length)));
      drawn = 0;
    }
    const bytes = pool.subarray(drawn, drawn + length);
    drawn += length;
    return bytes;
  },
};
