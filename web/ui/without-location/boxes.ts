import { exifOf, orientationOf, textAt } from './exif.ts';

interface Box {
  type: string;
  /** Where it begins, where its content begins, and where it ends. */
  at: number;
  content: number;
  end: number;
}

/** Bytes that take the place of as many others. */
interface Change {
  at: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Clears the boxes for a film's user data and metadata; players skip a box that is `free`. */
export async function clearFilm(file: File): Promise<Blob> {
  const changes: Change[] = [];
  for (const film of await boxesIn(file, 0, file.size)) {
    if (film.type !== 'moov') continue;
    for (const { type, at, content, end } of await boxesIn(file, film.content, film.end)) {
      if (type !== 'udta' && type !== 'meta') continue;
      changes.push({ at: at + 4, bytes: new TextEncoder().encode('free') });
      changes.push({ at: content, bytes: new Uint8Array(end - content) });
    }
  }
  return changed(file, changes);
}

/** Clears the items of an AVIF or HEIF file for Exif and XMP, where they stand: the offsets of the others stay right. */
export async function clearItems(file: File): Promise<Blob> {
  const meta = (await boxesIn(file, 0, file.size)).find(({ type }) => type === 'meta');
  if (!meta) return file;
  const boxes = await boxesIn(file, meta.content + VERSION_BYTES, meta.end);
  const find = (wanted: string) => boxes.find(({ type }) => type === wanted);
  const [infos, locations, data] = [find('iinf'), find('iloc'), find('idat')];
  if (!infos || !locations) return file;
  const details = await readDetails(file, infos);
  const changes: Change[] = [];
  for (const { itemId, extents } of readLocations(await bytesOf(file, locations))) {
    const type = details.get(itemId);
    if (type === undefined) continue;
    for (const { origin, offset, length } of extents) {
      const within = origin === 'idat' ? data : { content: 0, end: file.size };
      if (!within) continue;
      const at = within.content + offset;
      const end = Math.min(at + length, within.end);
      if (at < end)
        changes.push({
          at,
          bytes: type === 'Exif' ? await clearedExif(file.slice(at, end)) : new Uint8Array(end - at),
        });
    }
  }
  return changed(file, changes);
}

/** Before the Exif data of an item stands how far behind it they begin. */
const OFFSET_BYTES = 4;
const UPRIGHT = 1;

async function clearedExif(item: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const orientation = orientationOf(new Uint8Array(await item.arrayBuffer()).subarray(OFFSET_BYTES));
  const bytes = new Uint8Array(item.size);
  const exif = exifOf(orientation ?? UPRIGHT);
  if (item.size >= OFFSET_BYTES + exif.length) bytes.set(exif, OFFSET_BYTES);
  return bytes;
}

const VERSION_BYTES = 4;

/** The items that are Exif, XMP or other data of a MIME type, and which of them. */
async function readDetails(file: Blob, infos: Box): Promise<Map<number, string>> {
  const version = (await viewOf(file, infos.content, 1)).getUint8(0);
  const types = new Map<number, string>();
  const first = infos.content + VERSION_BYTES + (version === 0 ? 2 : 4);
  for (const info of await boxesIn(file, first, infos.end)) {
    const view = await bytesOf(file, info);
    const isLong = view.getUint8(0) > 2;
    const type = textAt(new Uint8Array(view.buffer), isLong ? 10 : 8, 4);
    if (type === 'Exif' || type === 'mime') types.set(isLong ? view.getUint32(4) : view.getUint16(4), type);
  }
  return types;
}

interface Location {
  itemId: number;
  extents: { origin: 'file' | 'idat'; offset: number; length: number }[];
}

/** ISO 14496-12 §8.11.3. @throws RangeError if the box ends early */
function readLocations(view: DataView): Location[] {
  let at = 0;
  const read = (bytes: number): number => {
    at += bytes;
    if (bytes === 8) return Number(view.getBigUint64(at - 8));
    if (bytes === 4) return view.getUint32(at - 4);
    if (bytes === 2) return view.getUint16(at - 2);
    return bytes === 0 ? 0 : view.getUint8(at - bytes);
  };
  const version = read(1);
  read(VERSION_BYTES - 1);
  const [sizes, moreSizes] = [read(1), read(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexBytes = version === 0 ? 0 : moreSizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  return Array.from({ length: read(idBytes) }, () => {
    const itemId = read(idBytes);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseBytes);
    const extents = Array.from({ length: read(2) }, () => {
      read(indexBytes);
      const offset = base + read(offsetBytes);
      return {
        origin: method === 1 ? ('idat' as const) : ('file' as const),
        offset,
        length: read(lengthBytes),
      };
    });
    return { itemId, extents };
  });
}

function changed(file: File, changes: Change[]): Blob {
  const parts: BlobPart[] = [];
  let taken = 0;
  for (const { at, bytes } of changes.toSorted((a, b) => a.at - b.at)) {
    if (at < taken) continue;
    parts.push(file.slice(taken, at), bytes);
    taken = at + bytes.length;
  }
  return new Blob([...parts, file.slice(taken)], { type: file.type });
}

async function viewOf(file: Blob, at: number, bytes: number): Promise<DataView> {
  return new DataView(await file.slice(at, at + bytes).arrayBuffer());
}

const bytesOf = (file: Blob, { content, end }: Box) => viewOf(file, content, end - content);

async function boxesIn(file: Blob, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const head = await viewOf(file, at, 16);
    const short = head.getUint32(0);
    const isLong = short === 1 && head.byteLength === 16;
    const size = isLong ? Number(head.getBigUint64(8)) : short || to - at;
    const content = at + (isLong ? 16 : 8);
    const end = Math.min(at + size, to);
    if (end < content) break;
    boxes.push({ type: textAt(new Uint8Array(head.buffer), 4, 4), at, content, end });
    at = end;
  }
  return boxes;
}
