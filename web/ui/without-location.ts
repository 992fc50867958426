import type { MediaKind } from '#contract/choices.ts';

/**
 * A photo or video without what cameras write into it besides the picture: the place, the time, the device. How it is to be turned
 * stays, and so does the size of the file. Photos are JPEG files, videos MP4 or QuickTime files; other files are unchanged.
 */
export async function withoutLocation(file: File, kind: MediaKind): Promise<Blob> {
  if (kind === 'image') return withoutExif(file);
  if (kind === 'video') return withoutUserData(file);
  return file;
}

const [START_OF_SCAN, APP1, APP13] = [0xda, 0xe1, 0xed];
const SEGMENT_HEAD = 4;

/** Clears the segments for Exif and XMP, and that for IPTC. */
async function withoutExif(file: File): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const view = new DataView(bytes.buffer);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return file;
  for (let at = 2; at + SEGMENT_HEAD <= bytes.length; ) {
    const [start, marker] = [bytes[at], bytes[at + 1]];
    if (start !== 0xff || marker === START_OF_SCAN) break;
    const end = at + 2 + view.getUint16(at + 2);
    if (marker === APP1 || marker === APP13) {
      const segment = bytes.subarray(at + SEGMENT_HEAD, end);
      const orientation = orientationOf(segment);
      segment.fill(0);
      if (orientation !== undefined) segment.set(exifOf(orientation));
    }
    at = end;
  }
  return new Blob([bytes], { type: file.type });
}

const EXIF_HEAD = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION = 0x0112;
const TIFF_HEAD = 8;
const ENTRY_BYTES = 12;

/** An Exif segment that has an orientation, and nothing else. */
function exifOf(orientation: number): number[] {
  const bigEndian = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8];
  return [...EXIF_HEAD, ...bigEndian, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation];
}

/** Of an Exif segment that has one. */
function orientationOf(segment: Uint8Array): number | undefined {
  const end = segment.length - EXIF_HEAD.length;
  if (end < TIFF_HEAD || !EXIF_HEAD.every((byte, i) => segment[i] === byte)) return undefined;
  const tiff = new DataView(segment.buffer, segment.byteOffset + EXIF_HEAD.length);
  const isLittle = tiff.getUint8(0) === 0x49;
  const entries = tiff.getUint32(4, isLittle);
  if (entries < TIFF_HEAD || entries + 2 > end) return undefined;
  const count = tiff.getUint16(entries, isLittle);
  for (let i = 0, at = entries + 2; i < count && at + ENTRY_BYTES <= end; i++, at += ENTRY_BYTES)
    if (tiff.getUint16(at, isLittle) === ORIENTATION) return tiff.getUint16(at + 8, isLittle);
  return undefined;
}

interface Box {
  type: string;
  /** Where it begins, where its content begins, and where it ends. */
  at: number;
  content: number;
  end: number;
}

/** Clears the boxes for the film's user data and metadata; players skip a box that is `free`. */
async function withoutUserData(file: File): Promise<Blob> {
  const parts: BlobPart[] = [];
  let taken = 0;
  for (const film of await boxesIn(file, 0, file.size)) {
    if (film.type !== 'moov') continue;
    for (const { type, at, content, end } of await boxesIn(file, film.content, film.end)) {
      if (type !== 'udta' && type !== 'meta') continue;
      parts.push(
        file.slice(taken, at + 4),
        'free',
        file.slice(at + 8, content),
        new Uint8Array(end - content),
      );
      taken = end;
    }
  }
  return new Blob([...parts, file.slice(taken)], { type: file.type });
}

async function boxesIn(file: File, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const short = head.getUint32(0);
    const isLong = short === 1 && head.byteLength === 16;
    const size = isLong ? Number(head.getBigUint64(8)) : short || to - at;
    const content = at + (isLong ? 16 : 8);
    const end = Math.min(at + size, to);
    if (end < content) break;
    boxes.push({ type: String.fromCharCode(...new Uint8Array(head.buffer, 4, 4)), at, content, end });
    at = end;
  }
  return boxes;
}
