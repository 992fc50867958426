import type { Db, Tx } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import type { Credential } from './actor.ts';
import { findRedirectUris } from './queries.ts';

/** An application as OAuth sees it: its App ID is the `client_id` (contract §2). */
export interface Client {
  appId: string;
  name: string;
  state: Credential['applicationState'];
  clientSecretHash: Buffer;
  requestsPerMinute: number;
}

/** Those of the given applications that are not deleted; a read over many shards, for batches. */
export async function findClients(db: Db, appIds: string[]): Promise<Client[]> {
  return db<Client[]>`
    select app_id, name, state, client_secret_hash, requests_per_minute
    from applications where app_id = any(${appIds}) and state <> 'deleted'`;
}

/** The application, if it is active: for whoever comes to ask a person's consent. */
export async function findActiveClient(db: Db, clientId: string): Promise<Client | undefined> {
  const [client] = isId('app', clientId) ? await findClients(db, [clientId]) : [];
  return client?.state === 'active' ? client : undefined;
}

/** The same, and it is neither deleted nor changed in its state before the transaction ends. */
export async function holdActiveClient(tx: Tx, appId: string): Promise<Pick<Client, 'appId'> | undefined> {
  const [client] = await tx<Pick<Client, 'appId'>[]>`
    select app_id from applications where app_id = ${appId} and state = 'active' for share`;
  return client;
}

/** Compared byte for byte (decisions: OAuth). */
export async function isRegisteredRedirectUri(db: Db, appId: string, uri: string): Promise<boolean> {
  return (await findRedirectUris(db, appId)).includes(uri);
}

export interface NamedClient {
  appId: string;
  name: string;
  isDeleted: boolean;
}

/** The names of applications, deleted ones included: who was let in is shown for as long as that is remembered. */
export async function findClientNames(db: Db, appIds: string[]): Promise<NamedClient[]> {
  return db<NamedClient[]>`
    select app_id, name, state = 'deleted' as is_deleted from applications where app_id = any(${appIds})`;
}
