import type { ApiKeyInfo } from '#contract/applications.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Keyring, Sealed } from '#platform/crypto/keyring.ts';
import { secretKind } from '#platform/crypto/random-secrets.ts';
import type { Random } from '#platform/random.ts';
import type { StoredWebhookSecret } from '../queries.ts';
import type { KeyRow } from './key-queries.ts';

const PREFIX = 'xk_live_';

/** API keys: `xk_live_` and 64 hex digits (contract §2), of which the first 30 are the application's id, the others 136 random bits. */
export const { make: makeApiKey, parse: parseApiKey } = secretKind(PREFIX, 'app', 17);

/** Whether a bearer token has the prefix of an API key. */
export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** The details of a key without the key itself. */
export function viewKey({ keyHash, name, scopes, createdAt, lastUsedAt }: KeyRow): ApiKeyInfo {
  return withoutAbsent({ fingerprint: keyHash.toString('hex'), name, scopes, createdAt, lastUsedAt });
}

const SECRET_BYTES = 32;

/** A new OAuth client secret; the database stores its {@link hashSecret}. */
export function makeClientSecret(random: Random): string {
  return `xcs_${random.bytes(SECRET_BYTES).toString('hex')}`;
}

/** A new webhook secret, in the format of Standard Webhooks libraries (docs/decisions/0002-webhook-secret.md). */
export function makeWebhookSecret(random: Random): string {
  return `whsec_${random.bytes(SECRET_BYTES).toString('base64')}`;
}

/** Encrypted, not hashed: every delivery is signed with it. */
export function sealWebhookSecret(keyring: Keyring, appId: string, secret: string): StoredWebhookSecret {
  const { ciphertext, keyId } = keyring.seal(contextOf(appId), Buffer.from(secret));
  return { webhookSecret: ciphertext, webhookSecretKeyId: keyId };
}

/** Undefined when it cannot be read. */
export function openWebhookSecret(
  keyring: Keyring,
  appId: string,
  { webhookSecret: ciphertext, webhookSecretKeyId: keyId }: StoredWebhookSecret,
): string | undefined {
  return keyring.openIfReadable(contextOf(appId), { ciphertext, keyId })?.toString();
}

/** The previous secret during an overlap; its own encryption context prevents swapping the two. */
export function sealPreviousWebhookSecret(keyring: Keyring, appId: string, secret: string): Sealed {
  return keyring.seal(contextOf(appId, 'previous_webhook_secret'), Buffer.from(secret));
}

/** Undefined when it cannot be read. */
export function openPreviousWebhookSecret(
  keyring: Keyring,
  appId: string,
  sealed: Sealed,
): string | undefined {
  return keyring.openIfReadable(contextOf(appId, 'previous_webhook_secret'), sealed)?.toString();
}

function contextOf(appId: string, column = 'webhook_secret') {
  return { table: 'applications', rowId: `${appId}:${column}` };
}
