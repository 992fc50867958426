import { confirmed, read } from './api.ts';

/** Saves an endpoint's response that is a file, without the envelope, under a name. */
export async function download(path: string, name: string): Promise<void> {
  const answer = await confirmed('GET', path);
  if (!answer.ok) return read<never>(answer);
  save(await answer.blob(), name);
}

/** Safari begins to read the file some time after the click, or once the person has allowed the download. */
const KEPT_MS = 60_000;

/** Saves a file that the page has made. */
export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
