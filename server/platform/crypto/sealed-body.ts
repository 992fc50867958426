import type { Keyring, SealingContext } from './keyring.ts';

/** The columns of a row with a sealed value. */
export interface SealedBody {
  body: Buffer;
  bodyKeyId: number;
}

export function sealed(keyring: Keyring, context: SealingContext, value: object): SealedBody {
  const { ciphertext, keyId } = keyring.seal(context, Buffer.from(JSON.stringify(value)));
  return { body: ciphertext, bodyKeyId: keyId };
}

/** The value, for displaying it: undefined if the row cannot be read. */
export function openSealed<Value>(
  keyring: Keyring,
  context: SealingContext,
  { body, bodyKeyId }: SealedBody,
): Value | undefined {
  const opened = keyring.openIfReadable(context, { keyId: bodyKeyId, ciphertext: body });
  return opened && JSON.parse(opened.toString());
}
