import { hash } from 'node:crypto';
import type { Keyring, Sealed } from '#platform/crypto/keyring.ts';
import type { Random } from '#platform/random.ts';

const SECRET_BYTES = 32;

/** A new OAuth client secret; the database keeps {@link hashClientSecret} of it. */
export function makeClientSecret(random: Random): string {
  return `xcs_${random.bytes(SECRET_BYTES).toString('hex')}`;
}

export function hashClientSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** A new webhook secret, in the form that Standard Webhooks libraries read (docs/decisions/0002-webhook-secret.md). */
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

/** The secret before, for as long as it signs along; a place of its own keeps the two from being exchanged. */
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
