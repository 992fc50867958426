import type { Scope } from '#contract/scopes.ts';
import { findRedirectUris, type StoredWebhookUrl } from '#features/applications/queries.ts';
import { openWebhookSecret } from '#features/applications/secrets.ts';
import { hasWebhookUrl, openWebhookUrl } from '#features/applications/webhook-url.ts';
import type { Db } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Portable } from './bundle.ts';

/** An application with its bot and credentials; not its people, messages, grants or events. */
export async function readPortable(db: Db, keyring: Keyring, appId: string): Promise<Portable> {
  const application = isId('app', appId) ? await findApplication(db, appId) : undefined;
  if (!application) throw new Error(`there is no application ${appId}`);
  const bot = await findBot(db, appId);
  const { name, webhookSecret, webhookSecretKeyId, clientSecretHash } = application;
  const sealed = { keyId: webhookSecretKeyId, ciphertext: webhookSecret };
  const secret = openWebhookSecret(keyring, appId, sealed);
  if (secret === undefined)
    throw new Error(
      `the webhook secret of ${appId} cannot be read: its owner can create a new one in the console`,
    );
  const webhookUrl = openWebhookUrl(keyring, appId, application);
  if (webhookUrl === undefined && hasWebhookUrl(application))
    throw new Error(`the webhook URL of ${appId} cannot be read: its owner can set it again in the console`);
  return {
    shown: { appId, name, redirectUris: await findRedirectUris(db, appId), bot },
    secrets: {
      webhookUrl: webhookUrl ?? null,
      webhookSecret: secret,
      clientSecretHash: clientSecretHash?.toString('hex') ?? null,
      apiKeys: (await findKeys(db, appId)).map(({ keyHash, scopes }) => ({
        hash: keyHash.toString('hex'),
        scopes,
      })),
    },
  };
}

interface ApplicationRow extends StoredWebhookUrl {
  name: string;
  webhookSecret: Buffer;
  webhookSecretKeyId: number;
  clientSecretHash: Buffer | null;
}

async function findApplication(db: Db, appId: string): Promise<ApplicationRow | undefined> {
  const [row] = await db<ApplicationRow[]>`
    select name, webhook_url, sealed_webhook_url, sealed_webhook_url_key_id, webhook_secret, webhook_secret_key_id,
      client_secret_hash
    from applications where app_id = ${appId} and state <> 'deleted'`;
  return row;
}

async function findBot(db: Db, appId: string): Promise<Portable['shown']['bot']> {
  const [row] = await db<NonNullable<Portable['shown']['bot']>[]>`
    select account_id as user_id, username, description, commands
    from bots where app_id = ${appId} and deleted_at is null`;
  return row ?? null;
}

async function findKeys(db: Db, appId: string): Promise<{ keyHash: Buffer; scopes: Scope[] }[]> {
  return db<{ keyHash: Buffer; scopes: Scope[] }[]>`
    select key_hash, scopes from api_keys where app_id = ${appId} and revoked_at is null order by created_at`;
}
