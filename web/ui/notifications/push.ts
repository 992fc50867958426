import type { Notifications } from '#contract/chat/push.ts';
import { callChat } from '../api.ts';
import { chatQuery } from '../parts/query.ts';
import { language } from '../texts.ts';
import { isWanted, mayNotify } from './permission.ts';

export const notificationsQuery = chatQuery(['account', 'notifications'], 'GET /notifications');

/**
 * Registers this browser for notifications while no page is open.
 *
 * @returns false where the browser has no push service, or cannot reach it
 */
export async function subscribe({ publicKey }: Notifications): Promise<boolean> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const ask = () => pushManager?.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const subscription = await ask()
    // One for another key, of a server that was here before, is in the way.
    ?.catch(async () => ((await dropSubscription(pushManager)) ? ask() : undefined))
    .catch(() => undefined);
  const { endpoint, keys: { p256dh, auth } = {} } = subscription?.toJSON() ?? {};
  if (!endpoint || !p256dh || !auth) return false;
  await callChat('PUT /notifications/device', {
    body: {
      endpoint,
      keys: { p256dh, auth },
      language: language(),
    },
  });
  return true;
}

export async function unsubscribe(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  await Promise.all([dropSubscription(pushManager), callChat('DELETE /notifications/device')]);
}

async function dropSubscription(pushManager: PushManager | undefined): Promise<boolean> {
  const subscription = await pushManager?.getSubscription();
  return subscription?.unsubscribe() ?? false;
}

/**
 * To be called at every start, since browsers may change their subscription at any time, and in a new session, since each has
 * its own device.
 */
export function reportSubscription(): void {
  if (!import.meta.env.PROD || !isWanted() || mayNotify() !== 'granted') return;
  // Without push, notifications still appear while the page is open.
  void callChat('GET /notifications')
    .then(subscribe)
    .catch(() => false);
}
