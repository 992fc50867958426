import { readFile } from 'node:fs/promises';
import { parseKeys } from '#platform/crypto/keyring.ts';

/** @throws with a line for the operator */
export async function readKeyFile(path: string): Promise<Map<number, Buffer>> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`the encryption keys in ${path} cannot be read: ${error.message}`);
  });
  return parseKeys(text);
}
