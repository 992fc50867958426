import { useEffect } from 'react';
import type { Notifications } from '#contract/chat/push.ts';
import { callChat } from '../../ui/api.ts';
import { chatQuery } from '../../ui/parts/query.ts';
import { language } from '../../ui/texts.ts';
import { isWanted, mayNotify } from './permission.ts';

export const notificationsQuery = chatQuery(['account', 'notifications'], 'GET /notifications');

/**
 * Registers this browser for notifications while no page is open.
 *
 * @returns false where the browser has no push service, or cannot reach it
 */
export async function subscribe({ publicKey }: Notifications): Promise<boolean> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager
    ?.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
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
  const subscription = await pushManager?.getSubscription();
  await Promise.all([subscription?.unsubscribe(), callChat('DELETE /notifications/device')]);
}

/** Browsers may change their subscription at any time, and each session has its own device: both are reported at every start. */
export function useSubscription(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !isWanted() || mayNotify() !== 'granted') return;
    // Without push, notifications still appear while the page is open.
    void callChat('GET /notifications')
      .then(subscribe)
      .catch(() => false);
  }, []);
}
