import type { Keyring, SealingContext } from './keyring.ts';

/**
 * A value that a browser carries for the server, sealed and bound to a context: it is rejected if modified.
 */
export function sealText(keyring: Keyring, context: SealingContext, value: object): string {
  return writeText(keyring.seal(context, Buffer.from(JSON.stringify(value))));
}

/** Undefined for a text that {@link sealText} did not make for this context. */
export function openText<T>(keyring: Keyring, context: SealingContext, text: string): T | undefined {
  const [keyId, base64 = ''] = text.split('.', 2);
  const sealed = { keyId: Number(keyId), ciphertext: Buffer.from(base64, 'base64url') };
  // The decoder ignores the unused bits of the last character, so that several texts mean the same bytes.
  if (writeText(sealed) !== text) return undefined;
  try {
    return JSON.parse(keyring.open(context, sealed).toString());
  } catch {
    return undefined;
  }
}

function writeText({ keyId, ciphertext }: { keyId: number; ciphertext: Buffer }): string {
  return `${keyId}.${ciphertext.toString('base64url')}`;
}
