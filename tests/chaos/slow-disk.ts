import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Preloaded into a program (`node --import`), it slows down writes through file handles, as on a disk that writes about
 * 10 MB/s.
 */
const WRITE_MS = 25;

await using handle = await open('/dev/null');
const prototype: Pick<typeof handle, 'appendFile'> = Object.getPrototypeOf(handle);
const { appendFile } = prototype;
prototype.appendFile = async function (this: typeof handle, ...args) {
  await pause(WRITE_MS);
  return appendFile.apply(this, args);
};
