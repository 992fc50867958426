import { hashSecret } from '#platform/crypto/random-secrets.ts';
import { BUCKETS } from '#platform/ids.ts';
import type { Random } from '#platform/random.ts';
import type { LinkKey } from '../link-queries.ts';

const BUCKET_BYTES = 2;
const RANDOM_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{46}$/;

/** Begins with the group's bucket, which identifies the shard; 256 random bits follow. */
export function makeLinkToken(bucket: number, random: Random): { token: string; tokenHash: Buffer } {
  const start = Buffer.alloc(BUCKET_BYTES);
  start.writeUInt16BE(bucket);
  // Hashed as text, since several texts stand for the same bytes.
  const token = Buffer.concat([start, random.bytes(RANDOM_BYTES)]).toString('base64url');
  return { token, tokenHash: hashSecret(token) };
}

/** Undefined for what cannot be a token, which then never reaches the database. */
export function readLinkToken(token: string): LinkKey | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bucket = Buffer.from(token, 'base64url').readUInt16BE();
  return bucket < BUCKETS ? { bucket, tokenHash: hashSecret(token) } : undefined;
}
