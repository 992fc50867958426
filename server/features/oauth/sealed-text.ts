import type { Keyring, SealingContext } from '#platform/crypto/keyring.ts';

/**
 * A value that a browser carries for the server, sealed and bound to a context: it is rejected if modified.
 */
export function sealText(keyring: Keyring, context: SealingContext, value: object): string {
  const { keyId, ciphertext } = keyring.seal(context, Buffer.from(JSON.stringify(value)));
  return `${keyId}.${ciphertext.toString('base64url')}`;
}

/** Undefined for a text that {@link sealText} did not make for this context. */
export function openText<T>(keyring: Keyring, context: SealingContext, text: string): T | undefined {
  const [, keyId, sealed] = /^(\d{1,4})\.([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (!keyId || !sealed) return undefined;
  try {
    const ciphertext = Buffer.from(sealed, 'base64url');
    return JSON.parse(keyring.open(context, { keyId: Number(keyId), ciphertext }).toString());
  } catch {
    return undefined;
  }
}
