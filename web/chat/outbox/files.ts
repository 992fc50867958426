import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { useEffect, useState } from 'react';

/** Files of unsent messages; like the messages, they survive a reload. */
const held = new Map<string, File>();
let opened: UseStore | undefined;

function database(): UseStore {
  opened ??= createStore('parley-unsent', 'files');
  return opened;
}

/** Stores a file, and gives the reference for its message. */
export function keepFile(file: File): { key: string; name: string; size: number } {
  const key = crypto.randomUUID();
  held.set(key, file);
  // If storage is full or forbidden, it is still sent while the page is open.
  set(key, file, database()).catch(() => undefined);
  return { key, name: file.name, size: file.size };
}

/** Undefined if the browser has evicted it. */
export async function findFile(key: string): Promise<File | undefined> {
  const file = held.get(key) ?? (await get<File>(key, database()).catch(() => undefined));
  if (file) held.set(key, file);
  return file;
}

export function dropFile(key: string): void {
  held.delete(key);
  del(key, database()).catch(() => undefined);
}

/** An object URL of the file, for previews. */
export function useFileAddress(key: string | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (key === undefined) return;
    let made: string | undefined;
    let isGone = false;
    void findFile(key).then((file) => {
      if (!file || isGone) return;
      made = URL.createObjectURL(file);
      setAddress(made);
    });
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [key]);
  return address;
}
