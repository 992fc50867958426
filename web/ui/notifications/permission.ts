export type NotifyState = NotificationPermission | 'unsupported';

const STORED_AS = 'parley-notifications';

/** Whether the browser allows notifications. A service worker is required: phones support no other way. */
export function mayNotify(): NotifyState {
  return 'Notification' in window && 'serviceWorker' in navigator ? Notification.permission : 'unsupported';
}

export async function askToNotify(): Promise<NotifyState> {
  return mayNotify() === 'default' ? Notification.requestPermission() : mayNotify();
}

/** Whether notifications were switched on in this browser. */
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
    // Without storage there are no notifications: the choice could not be remembered.
  }
}
