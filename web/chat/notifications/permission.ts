export type NotifyState = NotificationPermission | 'unsupported';

const STORED_AS = 'parley-notifications';

/** Whether the browser lets this page notify. It takes a service worker: phones know no other way. */
export function mayNotify(): NotifyState {
  return 'Notification' in window && 'serviceWorker' in navigator ? Notification.permission : 'unsupported';
}

export async function askToNotify(): Promise<NotifyState> {
  return mayNotify() === 'default' ? Notification.requestPermission() : mayNotify();
}

/** Whether the person asked for it, in this browser. */
export function isWanted(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === 'on';
  } catch {
    return false;
  }
}

export function setWanted(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(STORED_AS, 'on');
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without storage there are no notifications: nobody would remember that they were wanted.
  }
}
