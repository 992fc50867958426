import type { NotificationDetail } from '#contract/choices.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface DeviceRow {
  accountId: string;
  deviceId: string;
  subscription: Buffer;
  subscriptionKeyId: number;
}

export interface SettingsRow {
  accountId: string;
  detail: NotificationDetail;
  hasSound: boolean;
  quietFrom: string | null;
  quietUntil: string | null;
  timeZone: string | null;
}

/** A read over all shards: whether there is any device at all. */
export async function hasDevices(db: Db): Promise<boolean> {
  return (await db`select from push_devices limit 1`).length > 0;
}

/** A read over the shards of these accounts. */
export async function selectDevices(db: Db, accountIds: string[]): Promise<DeviceRow[]> {
  return db<DeviceRow[]>`
    select account_id, device_id, subscription, subscription_key_id
    from push_devices where account_id = any(${accountIds})`;
}

/** A session has one device; a session that has ended gets none. */
export async function upsertDevice(
  tx: Tx,
  {
    accountId,
    deviceId,
    subscription,
    subscriptionKeyId,
    ...row
  }: DeviceRow & { sessionHash: Buffer; at: number },
): Promise<boolean> {
  const rows = await tx`
    insert into push_devices as device
      (account_id, device_id, session_hash, subscription, subscription_key_id, created_at)
    select account_id, ${deviceId}, session_hash, ${subscription}::bytea, ${subscriptionKeyId}, ${row.at}
    from sessions where account_id = ${accountId} and session_hash = ${row.sessionHash}
    for key share
    on conflict (account_id, device_id) do update
    set subscription = excluded.subscription, subscription_key_id = excluded.subscription_key_id
    returning device.device_id`;
  return rows.length > 0;
}

export async function deleteDevice(tx: Tx, accountId: string, deviceId: string): Promise<void> {
  await tx`delete from push_devices where account_id = ${accountId} and device_id = ${deviceId}`;
}

/** Deletes what the push service no longer knows, unless the browser has a new subscription by now. */
export async function deleteGone(tx: Tx, { accountId, deviceId, subscription }: DeviceRow): Promise<void> {
  await tx`
    delete from push_devices
    where account_id = ${accountId} and device_id = ${deviceId} and subscription = ${subscription}`;
}

function settingsColumns(db: Db) {
  return db`account_id, detail, has_sound, quiet_from, quiet_until, time_zone`;
}

/** A read over the shards of these accounts. */
export async function selectSettings(db: Db, accountIds: string[]): Promise<SettingsRow[]> {
  return db<SettingsRow[]>`
    select ${settingsColumns(db)}
    from notification_settings where account_id = any(${accountIds})`;
}

/** The settings, which stay as they are until the transaction ends; those of a new row if there were none. */
export async function lockSettings(
  tx: Tx,
  { accountId, detail, hasSound }: Pick<SettingsRow, 'accountId' | 'detail' | 'hasSound'>,
): Promise<SettingsRow | undefined> {
  const [row] = await tx<SettingsRow[]>`
    insert into notification_settings as settings (account_id, detail, has_sound)
    values (${accountId}, ${detail}, ${hasSound})
    on conflict (account_id) do update set detail = settings.detail
    returning ${settingsColumns(tx)}`;
  return row;
}

export async function updateSettings(tx: Tx, row: SettingsRow): Promise<void> {
  await tx`
    update notification_settings
    set detail = ${row.detail}, has_sound = ${row.hasSound}, quiet_from = ${row.quietFrom},
      quiet_until = ${row.quietUntil}, time_zone = ${row.timeZone}
    where account_id = ${row.accountId}`;
}

export async function deleteSettings(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from notification_settings where account_id = ${accountId}`;
}
