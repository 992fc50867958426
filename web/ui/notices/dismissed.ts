import { useSyncExternalStore } from 'react';

const STORED_AS = 'parley-dismissed';
const MOST = 100;
const watchers = new Set<() => void>();
let current = read();

/** Announcements that somebody does not want to see any more, in this browser. */
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
  // Where nothing can be stored, it is gone until the page is loaded anew.
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
