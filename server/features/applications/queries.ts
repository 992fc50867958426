import type { ApplicationState } from '#contract/applications.ts';
import { beginsWith } from '#platform/database/like.ts';
import type { Db, Tx } from '#platform/database.ts';

/** A webhook URL as stored: sealed, since it often bears a token in its path or query. */
export interface StoredWebhookUrl {
  sealedWebhookUrl: Buffer | null;
  sealedWebhookUrlKeyId: number | null;
}

export interface ApplicationRow extends StoredWebhookUrl {
  appId: string;
  ownerId: string;
  name: string;
  state: ApplicationState;
  requestsPerMinute: number;
  createdAt: number;
  clientSecretCreatedAt: number | null;
  webhookSecretCreatedAt: number | null;
  previousWebhookSecretUntil: number | null;
  /** The metadata document's address of a published client, which has no owner. */
  clientUrl: string | null;
}

function columns(db: Db) {
  return db`app_id, owner_id, name, state, sealed_webhook_url, sealed_webhook_url_key_id,
    requests_per_minute, created_at, client_secret_created_at, webhook_secret_created_at,
    previous_webhook_secret_until, client_url`;
}

export async function findApplication(db: Db, appId: string): Promise<ApplicationRow | undefined> {
  const [row] = await db<ApplicationRow[]>`
    select ${columns(db)} from applications where app_id = ${appId}`;
  return row;
}

declare const isLocked: unique symbol;

/**
 * An application whose row the transaction has locked, at a version that no cached key has. For existing applications only
 * {@link lockApplication} returns it, and every statement that changes an application, its keys or its bot requires it.
 */
export interface LockedApplication {
  appId: string;
  readonly [isLocked]: true;
}

/**
 * Reads an application and locks it with its dependent rows until the transaction ends. Raises the version, so that cached
 * keys are looked up again.
 */
export async function lockApplication(
  tx: Tx,
  appId: string,
): Promise<(ApplicationRow & LockedApplication) | undefined> {
  // First, since on Citus raising a version blocks all other transactions that raise one.
  await raiseVersion(tx, appId);
  const [row] = await tx<(ApplicationRow & LockedApplication)[]>`
    update applications set version = version + 1 where app_id = ${appId}
    returning ${columns(tx)}`;
  return row;
}

/** Raises the version of the copies that sends compare on Citus. */
async function raiseVersion(tx: Tx, appId: string): Promise<void> {
  await tx`
    insert into application_versions as known (app_id, version) values (${appId}, 0)
    on conflict (app_id) do update set version = known.version + 1`;
}

/** In order of creation. A read over many shards, for the list of a person. */
export async function findApplications(db: Db, appIds: string[]): Promise<ApplicationRow[]> {
  return db<ApplicationRow[]>`
    select ${columns(db)}
    from applications where app_id = any(${appIds}) and state <> 'deleted' order by app_id`;
}

/** A sealed webhook secret. */
export interface StoredWebhookSecret {
  webhookSecret: Buffer;
  webhookSecretKeyId: number;
}

interface NewApplicationRow
  extends Pick<ApplicationRow, 'appId' | 'ownerId' | 'name' | 'requestsPerMinute'>,
    StoredWebhookSecret {
  clientSecretHash: Buffer | null;
  createdAt: number;
}

/** Stores a new application of a person. */
export async function addApplication(tx: Tx, row: NewApplicationRow): Promise<LockedApplication> {
  // First, since on Citus raising a version blocks all other transactions that raise one.
  await raiseVersion(tx, row.appId);
  await tx`
    insert into account_applications (account_id, app_id, created_at)
    values (${row.ownerId}, ${row.appId}, ${row.createdAt})`;
  const [inserted] = await tx<LockedApplication[]>`
    insert into applications (app_id, owner_id, name, state, client_secret_hash, webhook_secret, webhook_secret_key_id,
      requests_per_minute, created_at)
    values (${row.appId}, ${row.ownerId}, ${row.name}, 'active', ${row.clientSecretHash}, ${row.webhookSecret},
      ${row.webhookSecretKeyId}, ${row.requestsPerMinute}, ${row.createdAt})
    returning app_id`;
  return inserted as LockedApplication;
}

/** An existing one gets the current name and keeps its state. */
export async function upsertPublishedApplication(
  tx: Tx,
  row: Omit<NewApplicationRow, 'ownerId'> & { clientUrl: string },
): Promise<LockedApplication> {
  const [upserted] = await tx<LockedApplication[]>`
    insert into applications ${tx({ ...row, ownerId: '', state: 'active' })}
    on conflict (app_id) do update set name = excluded.name
    returning app_id`;
  return upserted as LockedApplication;
}

/** The undeleted applications of a person. */
export async function findOwnedIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select app_id from account_applications where account_id = ${accountId}`;
  return rows.map(({ appId }) => appId);
}

export async function deleteOwned(tx: Tx, accountId: string, appId: string): Promise<void> {
  await tx`delete from account_applications where account_id = ${accountId} and app_id = ${appId}`;
}

export async function updateName(tx: Tx, { appId }: LockedApplication, name: string): Promise<void> {
  await tx`update applications set name = ${name} where app_id = ${appId}`;
}

export async function updateWebhookUrl(
  tx: Tx,
  { appId }: LockedApplication,
  stored: StoredWebhookUrl,
): Promise<void> {
  await tx`
    update applications
    set sealed_webhook_url = ${stored.sealedWebhookUrl},
      sealed_webhook_url_key_id = ${stored.sealedWebhookUrlKeyId}
    where app_id = ${appId}`;
}

export async function updateRequestsPerMinute(
  tx: Tx,
  { appId }: LockedApplication,
  limit: number,
): Promise<void> {
  await tx`update applications set requests_per_minute = ${limit} where app_id = ${appId}`;
}

export async function updateClientSecret(
  tx: Tx,
  { appId }: LockedApplication,
  { hash, createdAt }: { hash: Buffer; createdAt: number },
): Promise<void> {
  await tx`
    update applications set client_secret_hash = ${hash}, client_secret_created_at = ${createdAt}
    where app_id = ${appId}`;
}

export async function updateWebhookSecret(
  tx: Tx,
  { appId }: LockedApplication,
  { webhookSecret, webhookSecretKeyId, createdAt }: StoredWebhookSecret & { createdAt: number },
): Promise<void> {
  await tx`
    update applications
    set webhook_secret = ${webhookSecret}, webhook_secret_key_id = ${webhookSecretKeyId}, webhook_secret_created_at = ${createdAt}
    where app_id = ${appId}`;
}

/** Keeps the previous secret until a time, or deletes it (undefined). */
export async function updatePreviousWebhookSecret(
  tx: Tx,
  { appId }: LockedApplication,
  previous: { ciphertext: Buffer; keyId: number; until: number } | undefined,
): Promise<void> {
  await tx`
    update applications
    set previous_webhook_secret = ${previous?.ciphertext ?? null},
      previous_webhook_secret_key_id = ${previous?.keyId ?? null},
      previous_webhook_secret_until = ${previous?.until ?? null}
    where app_id = ${appId}`;
}

/** Deletes the secrets whose overlap has ended. A write over many shards. */
export async function deleteExpiredPreviousSecrets(tx: Tx, now: number): Promise<void> {
  await tx`
    update applications
    set previous_webhook_secret = null, previous_webhook_secret_key_id = null, previous_webhook_secret_until = null
    where previous_webhook_secret_until <= ${now}`;
}

export interface DeliveryRow extends StoredWebhookUrl, StoredWebhookSecret {
  appId: string;
  state: Exclude<ApplicationState, 'deleted'>;
  previousWebhookSecret: Buffer | null;
  previousWebhookSecretKeyId: number | null;
  previousWebhookSecretUntil: number | null;
}

interface PortableRow extends StoredWebhookUrl, StoredWebhookSecret {
  name: string;
  clientSecretHash: Buffer | null;
}

/** An undeleted application, for moving it to another server; secrets are still sealed. */
export async function findSecrets(db: Db, appId: string): Promise<PortableRow | undefined> {
  const [row] = await db<PortableRow[]>`
    select name, client_secret_hash, sealed_webhook_url, sealed_webhook_url_key_id, webhook_secret,
      webhook_secret_key_id
    from applications where app_id = ${appId} and state <> 'deleted'`;
  return row;
}

/** Those of active applications, newest first. A read over all shards, for the operator. */
export async function findWebhookUrls(
  db: Db,
  limit: number,
): Promise<(StoredWebhookUrl & { appId: string })[]> {
  return db<(StoredWebhookUrl & { appId: string })[]>`
    select app_id, sealed_webhook_url, sealed_webhook_url_key_id from applications
    where state = 'active' and sealed_webhook_url is not null
    order by app_id desc limit ${limit}`;
}

/** For deliveries; without deleted applications. A read over many shards, for the deliveries of one claim. */
export async function findForDelivery(db: Db, appIds: string[]): Promise<DeliveryRow[]> {
  return db<DeliveryRow[]>`
    select app_id, state, sealed_webhook_url, sealed_webhook_url_key_id, webhook_secret, webhook_secret_key_id,
      previous_webhook_secret, previous_webhook_secret_key_id, previous_webhook_secret_until
    from applications where app_id = any(${appIds}) and state <> 'deleted'`;
}

/** Applications whose names begin with a text, case-insensitively. A read over all shards. */
export async function findIdsByName(
  db: Db,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select app_id from applications where lower(name) like lower(${beginsWith(beginning)}) and state <> 'deleted'
    order by lower(name), app_id limit ${limit}`;
  return rows.map(({ appId }) => appId);
}
