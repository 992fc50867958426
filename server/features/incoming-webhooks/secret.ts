import { hash } from 'node:crypto';
import { idFromHex, idToHex } from '#platform/ids.ts';
import type { Random } from '#platform/random.ts';

const PREFIX = 'xih_';
const ID_DIGITS = 30;
const RANDOM_BYTES = 24;
const SECRET = /^xih_[0-9a-f]{78}$/;

/** Begins with the application's ID, as API keys do, which identifies the shard; 192 random bits follow. */
export function makeSecret(appId: string, random: Random): string {
  return PREFIX + idToHex(appId) + random.bytes(RANDOM_BYTES).toString('hex');
}

/** Undefined if it does not have exactly the format of one. */
export function parseSecret(secret: string): { appId: string; secretHash: Buffer } | undefined {
  if (!SECRET.test(secret)) return undefined;
  const appId = idFromHex('app', secret.slice(PREFIX.length, PREFIX.length + ID_DIGITS));
  return { appId, secretHash: hashSecret(secret) };
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
