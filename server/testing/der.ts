/** The part of DER (X.690) that a test certificate needs. */

export const TRUE = tagged(0x01, Buffer.from([0xff]));

/** Tags of the choices of GeneralName. */
export const DNS_NAME = 2;
export const IP_ADDRESS = 7;

/** Tag of the first field of AuthorityKeyIdentifier. */
export const KEY_IDENTIFIER = 0;

export function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

export function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

/** @param bytes big-endian, the first below 0x80 */
export function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

export function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}

export function utcTime(time: Date): Buffer {
  const digits = time.toISOString().slice(2, 19).replace(/\D/g, '');
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** An explicit tag around a whole element. */
export function contextual(tag: number, element: Buffer): Buffer {
  return tagged(0xa0 | tag, element);
}

/** A tag in place of the element's own. */
export function implicit(tag: number, content: Buffer): Buffer {
  return tagged(0x80 | tag, content);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const lengthBytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}
