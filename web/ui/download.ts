import { confirmed, read } from './api.ts';

/** Saves an endpoint's response that is a file, without the envelope, under a name. */
export async function download(path: string, name: string): Promise<void> {
  const answer = await confirmed('GET', path);
  if (!answer.ok) return read<never>(answer);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
