import { hash } from 'node:crypto';
import type { Keyring, Sealed } from '#platform/crypto/keyring.ts';
import type { Random } from '#platform/random.ts';

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
