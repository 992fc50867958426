import { hash } from 'node:crypto';
import { idFromHex, idToHex } from '#platform/ids.ts';
import type { Random } from '#platform/random.ts';

const PREFIX = 'xin_';
const ID_DIGITS = 30;
const RANDOM_BYTES = 20;
const TOKEN = /^xin_[0-9a-f]{70}$/;

/** Begins with the application's ID, as API keys do, which identifies the shard; 160 random bits follow. */
export function makeInvitationToken(appId: string, random: Random): string {
  return PREFIX + idToHex(appId) + random.bytes(RANDOM_BYTES).toString('hex');
}

export function parseInvitationToken(token: string): { appId: string; tokenHash: Buffer } | undefined {
  if (!TOKEN.test(token)) return undefined;
  const appId = idFromHex('app', token.slice(PREFIX.length, PREFIX.length + ID_DIGITS));
  return { appId, tokenHash: hashInvitationToken(token) };
}

export function hashInvitationToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
