import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { StoredWebhookUrl } from './queries.ts';

export function storeWebhookUrl(
  keyring: Keyring,
  appId: string,
  webhookUrl: string | null,
): StoredWebhookUrl {
  if (webhookUrl === null) return { sealedWebhookUrl: null, sealedWebhookUrlKeyId: null };
  const { ciphertext, keyId } = keyring.seal(contextOf(appId), Buffer.from(webhookUrl));
  return { sealedWebhookUrl: ciphertext, sealedWebhookUrlKeyId: keyId };
}

export function hasWebhookUrl({ sealedWebhookUrl }: StoredWebhookUrl): boolean {
  return sealedWebhookUrl !== null;
}

/** Undefined if there is none or it cannot be decrypted. */
export function openWebhookUrl(
  keyring: Keyring,
  appId: string,
  { sealedWebhookUrl: ciphertext, sealedWebhookUrlKeyId: keyId }: StoredWebhookUrl,
): string | undefined {
  if (ciphertext === null || keyId === null) return undefined;
  return keyring.openIfReadable(contextOf(appId), { keyId, ciphertext })?.toString();
}

function contextOf(appId: string) {
  return { table: 'applications', rowId: `${appId}:sealed_webhook_url` };
}

/** In the order in which they were added. */
export async function findRedirectUris(db: Db, appId: string): Promise<string[]> {
  const rows = await db<{ uri: string }[]>`
    select uri from redirect_uris where app_id = ${appId} order by created_at, uri`;
  return rows.map(({ uri }) => uri);
}

export async function insertRedirectUri(
  tx: Tx,
  row: { appId: string; uri: string; createdAt: number },
): Promise<void> {
  await tx`insert into redirect_uris ${tx(row)}`;
}
