import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isQuiet } from '#contract/chat/notification-rules.ts';
import type { NotificationSettings } from '#contract/chat/push.ts';
import { atMost } from '#platform/concurrency/at-most.ts';
import type { Platform } from '#platform/platform.ts';
import { FixedWindow } from '#platform/rate-limits.ts';
import { openDevice, viewSettings } from './devices.ts';
import type { PushOutcome, PushPoster } from './post.ts';
import { type DeviceRow, deleteGone, hasDevices, selectDevices, selectSettings } from './queries.ts';
import { contentFor, DEFAULT_SETTINGS, type Notification } from './rules.ts';

/** The accounts to notify if they have a device, with or without sound, and the content. */
export type Describe = (
  reachable: string[],
) => Promise<{ to: { accountId: string; hasSound: boolean }[]; notification: Notification }>;

/**
 * While nobody has a device, sending a message has no extra cost; the first device at another process is
 * noticed after this time.
 */
const LOOK_AGAIN_MS = 30_000;
const AT_ONCE = 16;
/** One that takes longer no longer counts among these: a push service that hangs must not delay the others. */
const SLOW_MS = 250;
/** Late notifications are useless: beyond this number of devices, those for newer messages are dropped. */
const MOST_WAITING = 10_000;
const LINES_PER_MINUTE = 10;

/** Finds the devices to notify, and notifies them, after the answer to the sender. Failures are not retried. */
export function createNotifier({ db, clock, keyring, log, metrics }: Platform, poster: PushPoster) {
  const lines = new FixedWindow(clock, { windowMs: 60_000 });
  const outcomes = metrics.counter('parley_push_total', 'Notifications to browsers, by what became of them.');
  const count = (outcome: PushOutcome | 'dropped') => outcomes.add({ outcome });
  const inTurn = atMost(AT_ONCE);
  let waiting = 0;
  let isUsed: boolean | Promise<boolean> = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<boolean> {
    const hasAny = await hasDevices(db).catch((err) => {
      log.warn({ err }, 'it is not known whether anybody is to be notified');
      return false;
    });
    // The first device may have been registered meanwhile.
    if (isUsed !== true) isUsed = hasAny;
    return hasAny;
  }

  async function post(row: DeviceRow, notification: Notification, settings: NotificationSettings) {
    const device = openDevice(keyring, row);
    if (!device) return;
    try {
      const { outcome, reason } = await poster.post({
        device,
        notification: contentFor(notification, settings, device.language),
        isUrgent: notification.isUrgent,
        topic: topicOf(row, notification),
      });
      if (outcome === 'gone') await db.write((tx) => deleteGone(tx, row));
      count(outcome);
      if (reason !== undefined && lines.hit('', LINES_PER_MINUTE).allowed)
        log.warn(
          { host: new URL(device.endpoint).host, reason },
          'a push service did not take a notification',
        );
    } catch (err) {
      count('failed');
      log.warn({ err, accountId: row.accountId }, 'a browser could not be notified');
    }
  }

  return {
    /** Whether anybody has a device; the result is cached. */
    get isUsed(): boolean | Promise<boolean> {
      if (isUsed === true || Math.abs(clock.now() - lookedAt) < LOOK_AGAIN_MS) return isUsed;
      lookedAt = clock.now();
      isUsed = look();
      return isUsed;
    },

    use(): void {
      isUsed = true;
    },

    /** Notifies those of the accounts that have a device and want notifications at the time `at`. */
    async tell(accountIds: string[], at: number, describe: Describe): Promise<void> {
      const devices = await selectDevices(db, accountIds);
      if (devices.length === 0) return;
      const owners = [...new Set(devices.map(({ accountId }) => accountId))];
      const rows = await selectSettings(db, owners);
      const settingsOf = new Map(rows.map((row) => [row.accountId, viewSettings(row)]));
      const settings = (accountId: string) => settingsOf.get(accountId) ?? DEFAULT_SETTINGS;
      const awake = owners.filter((accountId) => !isQuiet(settings(accountId), at));
      const { to, notification } = await describe(awake);
      const soundOf = new Map(to.map(({ accountId, hasSound }) => [accountId, hasSound]));
      for (const device of devices) {
        const isWantedAloud = soundOf.get(device.accountId);
        if (isWantedAloud === undefined) continue;
        if (waiting >= MOST_WAITING) {
          count('dropped');
          continue;
        }
        const own = settings(device.accountId);
        waiting++;
        void inTurn(() => {
          waiting--;
          const posted = post(device, notification, { ...own, hasSound: own.hasSound && isWantedAloud });
          return Promise.race([posted, pause(SLOW_MS, undefined, { ref: false })]);
        });
      }
    },
  };
}

/** Different on each device, so that push services do not learn who is in the same conversation. */
function topicOf({ deviceId }: DeviceRow, { conversationId }: Notification): string {
  return createHash('sha256').update(`${deviceId} ${conversationId}`).digest('base64url').slice(0, 32);
}
