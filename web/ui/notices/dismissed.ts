import { useSyncExternalStore } from 'react';

const STORED_AS = 'parley-dismissed';
const MOST = 100;
const watchers = new Set<() => void>();
let current = read();

/** Announcements dismissed in this browser. */
export function useDismissed(): readonly string[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => current,
  );
}

export function dismiss(announcementId: string): void {
  current = [announcementId, ...current].slice(0, MOST);
  // If storage is blocked, the announcement is hidden until the page is reloaded.
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(current));
  } catch {}
  for (const watcher of watchers) watcher();
}

function read(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}
