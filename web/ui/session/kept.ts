/** The database and store of the files of unsent messages. */
export const KEPT_FILES = ['parley-unsent', 'files'] as const;

/** Begins the names in the browser's storage of what is kept for one account. */
export function keptOf(kind: 'draft' | 'place' | 'unsent', accountId: string): string {
  return `parley-${kind}:${accountId}:`;
}

/** Removes the drafts, reading positions and unsent messages of an account from this browser. */
export function forgetAccount(accountId: string): void {
  const files: string[] = [];
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith('parley-') || !name.includes(`:${accountId}:`)) continue;
    const { file } = name.startsWith(keptOf('unsent', accountId)) ? readUnsent(name) : {};
    if (file) files.push(file.key);
    localStorage.removeItem(name);
  }
  if (files.length > 0) void dropFiles(files).catch(() => undefined);
}

function readUnsent(name: string): { file?: { key: string } } {
  return JSON.parse(localStorage.getItem(name) ?? '{}');
}

/** Loaded only here: the consoles keep no files. */
async function dropFiles(keys: string[]): Promise<void> {
  const { createStore, delMany } = await import('idb-keyval');
  await delMany(keys, createStore(...KEPT_FILES));
}

/** Removes what the system shows of the person who was signed in: notifications, and the count on the icon of the app. */
export async function withdrawShown(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  await navigator.clearAppBadge?.();
}
