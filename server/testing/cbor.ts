export type Cbor = number | string | Buffer | Map<string, Cbor> | Map<number, Cbor>;

/** The part of CBOR (RFC 8949) that an authenticator writes: integers, byte and text strings, ordered maps. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const items = Array.from<[string | number, Cbor]>(value).flat();
  return Buffer.concat([head(5, value.size), ...items.map(encodeCbor)]);
}

/** The major type of an item, and its value or length. */
function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of((major << 5) | argument);
  if (argument < 256) return Buffer.of((major << 5) | 24, argument);
  return Buffer.of((major << 5) | 25, argument >> 8, argument & 255);
}
