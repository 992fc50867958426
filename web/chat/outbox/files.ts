import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { useEffect, useState } from 'react';

/** Files of messages that are not sent yet; they outlive the page as the messages do. */
const held = new Map<string, File>();
let opened: UseStore | undefined;

function database(): UseStore {
  opened ??= createStore('parley-unsent', 'files');
  return opened;
}

/** Keeps a file, and says as what a message names it. */
export function keepFile(file: File): { key: string; name: string; size: number } {
  const key = crypto.randomUUID();
  held.set(key, file);
  // Where storage is full or forbidden, it is sent all the same, as long as the page stands.
  set(key, file, database()).catch(() => undefined);
  return { key, name: file.name, size: file.size };
}

/** Undefined when the browser has thrown it away. */
export async function findFile(key: string): Promise<File | undefined> {
  const file = held.get(key) ?? (await get<File>(key, database()).catch(() => undefined));
  if (file) held.set(key, file);
  return file;
}

export function dropFile(key: string): void {
  held.delete(key);
  del(key, database()).catch(() => undefined);
}

/** An address of the file within this page, for what shows it. */
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
