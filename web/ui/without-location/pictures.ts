import { EXIF_HEAD, exifOf, orientationOf, textAt } from './exif.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const [START_OF_SCAN, APP1, APP13] = [0xda, 0xe1, 0xed];
const SEGMENT_HEAD = 4;

/** Clears the segments of a JPEG file for Exif and XMP, and that for IPTC. */
export function clearJpeg(bytes: Bytes): Bytes[] {
  const view = new DataView(bytes.buffer);
  for (let at = 2; at + SEGMENT_HEAD <= bytes.length; ) {
    const [start, marker] = [bytes[at], bytes[at + 1]];
    if (start !== 0xff || marker === START_OF_SCAN) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (marker === APP1 || marker === APP13) {
      const segment = bytes.subarray(at + SEGMENT_HEAD, end);
      const isExif = textAt(segment, 0, EXIF_HEAD.length) === EXIF_HEAD;
      const orientation = isExif ? orientationOf(segment) : undefined;
      segment.fill(0);
      if (orientation !== undefined) {
        segment.set(new TextEncoder().encode(EXIF_HEAD));
        segment.set(exifOf(orientation).subarray(0, segment.length - EXIF_HEAD.length), EXIF_HEAD.length);
      }
    }
    at = end;
  }
  return [bytes];
}

export const PNG_HEAD = '\x89PNG\r\n\x1a\n';
/** Of a chunk: its length, its type and, behind its content, a checksum. */
const PNG_CHUNK_BYTES = 12;
const PNG_DETAILS = ['tEXt', 'zTXt', 'iTXt', 'tIME'];

/** A PNG file without its chunks for Exif, texts (XMP among them) and the time, and without anything behind its end. */
export function shortenPng(bytes: Bytes): Bytes[] {
  const view = new DataView(bytes.buffer);
  const parts = [bytes.subarray(0, PNG_HEAD.length)];
  let at = PNG_HEAD.length;
  while (at + PNG_CHUNK_BYTES <= bytes.length) {
    const end = at + PNG_CHUNK_BYTES + view.getUint32(at);
    if (end > bytes.length) break;
    const type = textAt(bytes, at + 4, 4);
    if (type === 'eXIf') {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4));
      if (orientation !== undefined) parts.push(pngChunk(type, exifOf(orientation)));
    } else if (!PNG_DETAILS.includes(type)) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') return parts;
    at = end;
  }
  return [...parts, bytes.subarray(at)];
}

function pngChunk(type: string, content: Uint8Array): Bytes {
  const chunk = new Uint8Array(content.length + PNG_CHUNK_BYTES);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(content, 8);
  view.setUint32(8 + content.length, crc32(chunk.subarray(4, -4)));
  return chunk;
}

/** ISO 3309, as PNG has it; of a few bytes, so that it needs no table. */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const WEBP_HEAD = 12;
const WEBP_CHUNK_HEAD = 8;
/** Where an extended file says what it contains, and the bits of Exif and XMP in it. */
const [WEBP_FLAGS, HAS_EXIF, HAS_XMP] = [20, 0x08, 0x04];

export function isWebp(bytes: Uint8Array): boolean {
  return textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP';
}

/** A WebP file without its chunks for Exif and XMP. */
export function shortenWebp(bytes: Bytes): Bytes[] {
  const view = new DataView(bytes.buffer);
  const parts = [bytes.subarray(0, WEBP_HEAD)];
  let [removed, endedFlags] = [0, HAS_EXIF | HAS_XMP];
  for (let at = WEBP_HEAD; at < bytes.length; ) {
    const size = at + WEBP_CHUNK_HEAD <= bytes.length ? view.getUint32(at + 4, true) : 0;
    const chunk = bytes.subarray(at, at + WEBP_CHUNK_HEAD + size + (size % 2));
    const type = textAt(chunk, 0, 4);
    const isExif = type === 'EXIF';
    const orientation = isExif ? orientationOf(chunk.subarray(WEBP_CHUNK_HEAD)) : undefined;
    const kept = orientation === undefined ? [] : [webpExif(orientation)];
    if (kept.length > 0) endedFlags &= ~HAS_EXIF;
    const sent = isExif || type === 'XMP ' ? kept : [chunk];
    parts.push(...sent);
    removed += sent.reduce((left, { length }) => left - length, chunk.length);
    at += chunk.length;
  }
  view.setUint32(4, view.getUint32(4, true) - removed, true);
  const isExtended = textAt(bytes, WEBP_HEAD, 4) === 'VP8X' && bytes.length > WEBP_FLAGS;
  if (isExtended && view.getUint32(WEBP_HEAD + 4, true) > 0)
    bytes[WEBP_FLAGS] = (bytes[WEBP_FLAGS] as number) & ~endedFlags;
  return parts;
}

function webpExif(orientation: number): Bytes {
  const exif = exifOf(orientation);
  const chunk = new Uint8Array(WEBP_CHUNK_HEAD + exif.length);
  chunk.set(new TextEncoder().encode('EXIF'));
  new DataView(chunk.buffer).setUint32(4, exif.length, true);
  chunk.set(exif, WEBP_CHUNK_HEAD);
  return chunk;
}
