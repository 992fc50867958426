import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import type { Credential } from './actor.ts';
import { findRedirectUris } from './addresses.ts';
import { makeClientSecret, makeWebhookSecret, sealWebhookSecret } from './credentials/secrets.ts';
import type { ApplicationDeps } from './deps.ts';
import { insertExtension } from './extensions/in-use.ts';
import { upsertPublishedApplication } from './queries.ts';

/** An application as OAuth sees it: its App ID is the `client_id` (contract §2). */
export interface Client {
  appId: string;
  name: string;
  state: Credential['applicationState'];
  clientSecretHash: Buffer;
  requestsPerMinute: number;
  /** For clients that are not registered here: the address of the client's metadata document, which is its `client_id`. */
  clientUrl: string | null;
}

/** The given applications without deleted ones; a read over many shards, for batches. */
export async function findClients(db: Db, appIds: string[]): Promise<Client[]> {
  return db<Client[]>`
    select app_id, name, state, client_secret_hash, requests_per_minute, client_url
    from applications where app_id = any(${appIds}) and state <> 'deleted'`;
}

/** The application if it is active, for authorization requests. */
export async function findActiveClient(db: Db, clientId: string): Promise<Client | undefined> {
  const [client] = isId('app', clientId) ? await findClients(db, [clientId]) : [];
  return client?.state === 'active' ? client : undefined;
}

/** The same, locked so that it is neither deleted nor changes state before the transaction ends. */
export async function lockActiveClient(tx: Tx, appId: string): Promise<Pick<Client, 'appId'> | undefined> {
  const [client] = await tx<Pick<Client, 'appId'>[]>`
    select app_id from applications where app_id = ${appId} and state = 'active' for share`;
  return client;
}

/** Compared byte for byte (decisions: OAuth). */
export async function isRegisteredRedirectUri(db: Db, appId: string, uri: string): Promise<boolean> {
  return (await findRedirectUris(db, appId)).includes(uri);
}

/**
 * Stores a client that is not registered here as an application without an owner as soon as a person approves it, so that
 * grants, quotas and suspensions can refer to it. Nobody knows its secrets.
 */
export async function admitPublishedClient(
  tx: Tx,
  { clock, random, keyring, config }: ApplicationDeps,
  { appId, url, name }: { appId: string; url: string; name: string },
): Promise<void> {
  const now = clock.now();
  const application = await upsertPublishedApplication(tx, {
    appId,
    clientUrl: url,
    name,
    clientSecretHash: hashSecret(makeClientSecret(random)),
    ...sealWebhookSecret(keyring, appId, makeWebhookSecret(random)),
    requestsPerMinute: config.requestsPerMinute,
    createdAt: now,
  });
  await insertExtension(tx, application, { extension: 'mcp', switchedOnAt: now });
}

interface NamedClient extends Pick<Client, 'appId' | 'name' | 'clientUrl'> {
  isDeleted: boolean;
}

/** The names of applications, including deleted ones, which still appear in lists of past access. */
export async function findClientNames(db: Db, appIds: string[]): Promise<NamedClient[]> {
  return db<NamedClient[]>`
    select app_id, name, state = 'deleted' as is_deleted, client_url from applications where app_id = any(${appIds})`;
}
