import { createStore, del, get, set, type UseStore } from 'idb-keyval';
import { useEffect, useLayoutEffect, useState } from 'react';
import { uniqueId } from '../../ui/secure-context.ts';
import { KEPT_FILES } from '../../ui/session/kept.ts';

/** Files of unsent messages; like the messages, they survive a reload. */
const held = new Map<string, File>();
let opened: UseStore | undefined;

function database(): UseStore {
  opened ??= createStore(...KEPT_FILES);
  return opened;
}

/** Stores a file, and gives the reference for its message. */
export function keepFile(file: File): { key: string; name: string; size: number } {
  const key = uniqueId();
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

/** Pictures that were sent from this page, by the URL of their upload; the latest ones, since they may be in memory. */
const sent = new Map<string, File>();
const MOST_SENT = 50;

/** Called when a message is sent: its picture is shown from the file, and not downloaded. */
export function keepSentPicture(fileUrl: string, key: string): void {
  const file = held.get(key);
  if (!file?.type.startsWith('image/')) return;
  sent.set(fileUrl, file);
  const [oldest] = sent.keys();
  if (sent.size > MOST_SENT && oldest !== undefined) sent.delete(oldest);
}

export const sentPicture = (fileUrl: string): File | undefined => sent.get(fileUrl);

/** The file of an unsent message, as an object URL. */
export function useFileAddress(key: string | undefined): string | undefined {
  const [file, setFile] = useState<File>();
  useEffect(() => {
    if (key === undefined) return;
    let isGone = false;
    void findFile(key).then((found) => isGone || setFile(found));
    return () => {
      isGone = true;
    };
  }, [key]);
  return useObjectUrl(file);
}

/** An object URL of a file while a component shows it. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  // Before it is painted, so that what is already in the page does not appear late.
  useLayoutEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
