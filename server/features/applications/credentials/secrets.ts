import { hash } from 'node:crypto';
import type { ApiKeyInfo } from '#contract/applications.ts';
import type { Keyring, Sealed } from '#platform/crypto/keyring.ts';
import { idFromHex, idToHex } from '#platform/ids.ts';
import type { Random } from '#platform/random.ts';
import type { KeyRow } from './key-queries.ts';

const PREFIX = 'xk_live_';
const ID_DIGITS = 30;
const RANDOM_BYTES = 17;
const API_KEY = /^xk_live_[0-9a-f]{64}$/;

/** The application of a key, and the fingerprint that identifies the key in the database. */
export interface ParsedApiKey {
  appId: string;
  hash: Buffer;
}

/**
 * A new API key: `xk_live_` and 64 hex digits (contract §2). The first 30 of them are the application's id, so that a key
 * identifies its shard without a lookup; the other 34 are 136 random bits.
 */
export function makeApiKey(appId: string, random: Random): string {
  return PREFIX + idToHex(appId) + random.bytes(RANDOM_BYTES).toString('hex');
}

/** Whether a bearer token has the prefix of an API key. */
export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Reads a bearer token as an API key; undefined if it does not have exactly the format of one. */
export function parseApiKey(token: string): ParsedApiKey | undefined {
  if (!API_KEY.test(token)) return undefined;
  const digits = token.slice(PREFIX.length, PREFIX.length + ID_DIGITS);
  return { appId: idFromHex('app', digits), hash: hashApiKey(token) };
}

/** The fingerprint by which a key is stored (contract §2). */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** The details of a key without the key itself. */
export function viewKey({ keyHash, name, scopes, createdAt, lastUsedAt }: KeyRow): ApiKeyInfo {
  return {
    fingerprint: keyHash.toString('hex'),
    name,
    scopes,
    createdAt,
    ...(lastUsedAt !== null && { lastUsedAt }),
  };
}

const SECRET_BYTES = 32;

/** A new OAuth client secret; the database stores its {@link hashClientSecret}. */
export function makeClientSecret(random: Random): string {
  return `xcs_${random.bytes(SECRET_BYTES).toString('hex')}`;
}

export function hashClientSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A new webhook secret, in the format of Standard Webhooks libraries (docs/decisions/0002-webhook-secret.md). */
export function makeWebhookSecret(random: Random): string {
  return `whsec_${random.bytes(SECRET_BYTES).toString('base64')}`;
}

/** Encrypted, not hashed: every delivery is signed with it. */
export function sealWebhookSecret(keyring: Keyring, appId: string, secret: string): Sealed {
  return keyring.seal(contextOf(appId), Buffer.from(secret));
}

/** Undefined when it cannot be read. */
export function openWebhookSecret(keyring: Keyring, appId: string, sealed: Sealed): string | undefined {
  return keyring.openIfReadable(contextOf(appId), sealed)?.toString();
}

/** The previous secret during an overlap; its own encryption context prevents swapping the two. */
export function sealPreviousWebhookSecret(keyring: Keyring, appId: string, secret: string): Sealed {
  return keyring.seal(placeOfPrevious(appId), Buffer.from(secret));
}

/** Undefined when it cannot be read. */
export function openPreviousWebhookSecret(
  keyring: Keyring,
  appId: string,
  sealed: Sealed,
): string | undefined {
  return keyring.openIfReadable(placeOfPrevious(appId), sealed)?.toString();
}

function contextOf(appId: string) {
  return { table: 'applications', rowId: `${appId}:webhook_secret` };
}

function placeOfPrevious(appId: string) {
  return { table: 'applications', rowId: `${appId}:previous_webhook_secret` };
}
