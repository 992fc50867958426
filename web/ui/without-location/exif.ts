export const EXIF_HEAD = 'Exif\0\0';
const ORIENTATION = 0x0112;
const TIFF_HEAD = 8;
const ENTRY_BYTES = 12;
const BIG_ENDIAN = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, TIFF_HEAD];

export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** Exif data that has an orientation, and nothing else. */
export function exifOf(orientation: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(...BIG_ENDIAN, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0);
}

/** Of Exif data that has one. Some programs write the head of JPEG's segment into other formats, too. */
export function orientationOf(exif: Uint8Array): number | undefined {
  const head = textAt(exif, 0, EXIF_HEAD.length) === EXIF_HEAD ? EXIF_HEAD.length : 0;
  const end = exif.length - head;
  if (end < TIFF_HEAD) return undefined;
  const tiff = new DataView(exif.buffer, exif.byteOffset + head, end);
  const isLittle = tiff.getUint8(0) === 0x49;
  const entries = tiff.getUint32(4, isLittle);
  if (entries < TIFF_HEAD || entries + 2 > end) return undefined;
  const count = tiff.getUint16(entries, isLittle);
  for (let i = 0, at = entries + 2; i < count && at + ENTRY_BYTES <= end; i++, at += ENTRY_BYTES)
    if (tiff.getUint16(at, isLittle) === ORIENTATION) return tiff.getUint16(at + 8, isLittle);
  return undefined;
}
