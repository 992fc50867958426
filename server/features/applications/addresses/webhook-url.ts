import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Platform } from '#platform/platform.ts';
import { findClearWebhookUrls, type StoredWebhookUrl, sealClearWebhookUrl } from '../queries.ts';

export function storeWebhookUrl(
  { keyring, clock, upgradeEndsAt }: Pick<Platform, 'keyring' | 'clock' | 'upgradeEndsAt'>,
  appId: string,
  webhookUrl: string | null,
): StoredWebhookUrl {
  if (webhookUrl === null || clock.now() < upgradeEndsAt)
    return { webhookUrl, sealedWebhookUrl: null, sealedWebhookUrlKeyId: null };
  const { ciphertext, keyId } = keyring.seal(contextOf(appId), Buffer.from(webhookUrl));
  return { webhookUrl: null, sealedWebhookUrl: ciphertext, sealedWebhookUrlKeyId: keyId };
}

export function hasWebhookUrl({ webhookUrl, sealedWebhookUrl }: StoredWebhookUrl): boolean {
  return webhookUrl !== null || sealedWebhookUrl !== null;
}

/** Undefined if there is none or it cannot be decrypted. */
export function openWebhookUrl(
  keyring: Keyring,
  appId: string,
  { webhookUrl, sealedWebhookUrl: ciphertext, sealedWebhookUrlKeyId: keyId }: StoredWebhookUrl,
): string | undefined {
  if (webhookUrl !== null) return webhookUrl;
  if (ciphertext === null || keyId === null) return undefined;
  return keyring.openIfReadable(contextOf(appId), { keyId, ciphertext })?.toString();
}

/**
 * One worker step: seals URLs that the previous version stored in plain text, once that version can no longer be running.
 */
export async function sealClearWebhookUrls(
  deps: Pick<Platform, 'db' | 'keyring' | 'clock' | 'upgradeEndsAt'>,
  { limit }: { limit: number },
): Promise<void> {
  const { db, clock, upgradeEndsAt } = deps;
  if (clock.now() < upgradeEndsAt) return;
  for (const { appId, webhookUrl } of await findClearWebhookUrls(db, limit)) {
    const stored = storeWebhookUrl(deps, appId, webhookUrl);
    await db.begin((tx) => sealClearWebhookUrl(tx, appId, webhookUrl, stored));
  }
}

function contextOf(appId: string) {
  return { table: 'applications', rowId: `${appId}:sealed_webhook_url` };
}
