import type { IncomingWebhook } from '#contract/webhooks/incoming-webhooks.ts';
import type { RowOf } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';

export type WebhookRow = RowOf<IncomingWebhook> & { appId: string };

function columns(db: Db) {
  return db`app_id, webhook_id, group_id, name, created_at, last_used_at`;
}

/** The incoming webhooks of an application, oldest first. */
export async function selectWebhooks(db: Db, appId: string): Promise<WebhookRow[]> {
  return db<WebhookRow[]>`
    select ${columns(db)} from incoming_webhooks where app_id = ${appId} order by webhook_id`;
}

export async function findWebhookBySecret(
  db: Db,
  { appId, secretHash }: { appId: string; secretHash: Buffer },
): Promise<WebhookRow | undefined> {
  const [row] = await db<WebhookRow[]>`
    select ${columns(db)}
    from incoming_webhooks where app_id = ${appId} and secret_hash = ${secretHash}`;
  return row;
}

export async function insertWebhook(
  tx: Tx,
  row: Omit<WebhookRow, 'lastUsedAt'> & { secretHash: Buffer; createdBy: string },
): Promise<void> {
  await tx`
    insert into incoming_webhooks (app_id, webhook_id, group_id, name, secret_hash, created_by, created_at)
    values (${row.appId}, ${row.webhookId}, ${row.groupId}, ${row.name}, ${row.secretHash}, ${row.createdBy},
      ${row.createdAt})`;
}

type Chosen = Pick<WebhookRow, 'appId' | 'webhookId' | 'groupId'>;

/** Undefined if the group has no such webhook. */
export async function updateSecret(
  tx: Tx,
  { appId, webhookId, groupId }: Chosen,
  secretHash: Buffer,
): Promise<WebhookRow | undefined> {
  const [row] = await tx<WebhookRow[]>`
    update incoming_webhooks set secret_hash = ${secretHash}
    where app_id = ${appId} and webhook_id = ${webhookId} and group_id = ${groupId}
    returning ${columns(tx)}`;
  return row;
}

/** Undefined if the group has no such webhook. */
export async function deleteWebhook(
  tx: Tx,
  { appId, webhookId, groupId }: Chosen,
): Promise<WebhookRow | undefined> {
  const [row] = await tx<WebhookRow[]>`
    delete from incoming_webhooks
    where app_id = ${appId} and webhook_id = ${webhookId} and group_id = ${groupId}
    returning ${columns(tx)}`;
  return row;
}

export async function deleteAllWebhooks(tx: Tx, appId: string): Promise<void> {
  await tx`delete from incoming_webhooks where app_id = ${appId}`;
}

export async function updateLastUsed(
  tx: Tx,
  { appId, webhookId }: Pick<WebhookRow, 'appId' | 'webhookId'>,
  lastUsedAt: number,
): Promise<void> {
  await tx`
    update incoming_webhooks set last_used_at = ${lastUsedAt}
    where app_id = ${appId} and webhook_id = ${webhookId}`;
}
