import { isTimeZone } from '#contract/chat/notification-rules.ts';
import type {
  ChangeNotificationSettings,
  NotificationSettings,
  Notifications,
  PushDevice,
} from '#contract/chat/push.ts';
import { type Accounts, type Person, sessionEnded, sessionIdOf } from '#features/accounts/index.ts';
import type { Keyring, SealingContext } from '#platform/crypto/keyring.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { checkForSaving } from '#platform/safe-fetch/guard.ts';
import type { ServiceKey } from './post.ts';
import {
  type DeviceRow,
  deleteDevice,
  lockSettings,
  type SettingsRow,
  selectSettings,
  updateSettings,
  upsertDevice,
} from './queries.ts';
import { DEFAULT_SETTINGS } from './rules.ts';

export type PushDeps = Platform & { accounts: Accounts };

export async function showNotifications(
  { db, serviceKey }: Platform & { serviceKey: () => Promise<ServiceKey> },
  accountId: string,
): Promise<Notifications> {
  const { publicKey } = await serviceKey();
  const [row] = await selectSettings(db, [accountId]);
  return { settings: viewSettings(row), publicKey };
}

/** @throws ApiError 400 for an unknown time zone */
export async function changeSettings(
  { db, accounts, live }: PushDeps,
  accountId: string,
  change: ChangeNotificationSettings,
): Promise<NotificationSettings> {
  const { quietHours } = change;
  if (quietHours && !isTimeZone(quietHours.timeZone))
    throw invalidArgument('quietHours.timeZone', 'not-valid');
  const changed = await db.begin(async (tx) => {
    await accounts.lockActor(tx, accountId);
    const before = await lockSettings(tx, { ...DEFAULT_SETTINGS, accountId });
    const settings = { ...viewSettings(before), ...change };
    const { from = null, until = null, timeZone = null } = settings.quietHours ?? {};
    const { detail, hasSound } = settings;
    await updateSettings(tx, { accountId, detail, hasSound, quietFrom: from, quietUntil: until, timeZone });
    return settings;
  });
  live.publish(accountId, { type: 'profile.changed', data: {} });
  return changed;
}

export function viewSettings(row: SettingsRow | undefined): NotificationSettings {
  if (!row) return DEFAULT_SETTINGS;
  const { detail, hasSound, quietFrom: from, quietUntil: until, timeZone } = row;
  const quietHours = from !== null && until !== null && timeZone !== null ? { from, until, timeZone } : null;
  return { detail, hasSound, quietHours };
}

/**
 * The browser of this session is notified from now on.
 *
 * @throws ApiError 400 for an address that is not on the public internet, 401 if the session has just ended
 */
export async function keepDevice(
  { db, clock, guard, keyring }: Platform,
  person: Person,
  device: PushDevice,
): Promise<void> {
  const checked = await checkForSaving(guard, device.endpoint);
  if ('fault' in checked) throw invalidArgument('endpoint', `url-${checked.fault}`);
  const { accountId, sessionHash } = person;
  const deviceId = sessionIdOf(person);
  const sealed = keyring.seal(contextOf({ accountId, deviceId }), Buffer.from(JSON.stringify(device)));
  const row = {
    accountId,
    deviceId,
    sessionHash,
    subscription: sealed.ciphertext,
    subscriptionKeyId: sealed.keyId,
    at: clock.now(),
  };
  if (!(await db.write((tx) => upsertDevice(tx, row)))) throw sessionEnded();
}

export async function removeDevice({ db }: Platform, person: Person): Promise<void> {
  await db.write((tx) => deleteDevice(tx, person.accountId, sessionIdOf(person)));
}

/** Undefined for an unreadable row. */
export function openDevice(keyring: Keyring, row: DeviceRow): PushDevice | undefined {
  const sealed = { ciphertext: row.subscription, keyId: row.subscriptionKeyId };
  const opened = keyring.openIfReadable(contextOf(row), sealed);
  return opened && JSON.parse(opened.toString());
}

function contextOf({ accountId, deviceId }: Pick<DeviceRow, 'accountId' | 'deviceId'>): SealingContext {
  return { table: 'push_devices', rowId: `${accountId}:${deviceId}` };
}
