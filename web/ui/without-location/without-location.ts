import type { MediaKind } from '#contract/choices.ts';
import { clearFilm, clearItems } from './boxes.ts';
import { textAt } from './exif.ts';
import { clearJpeg, isWebp, PNG_HEAD, shortenPng, shortenWebp } from './pictures.ts';

/**
 * A photo or video without what cameras write into it besides the picture: the place, the time, the device. How it is to be turned
 * stays. Photos are JPEG, PNG, WebP, AVIF and HEIF files, videos MP4 or QuickTime files; other files are unchanged.
 */
export async function withoutLocation(file: File, kind: MediaKind): Promise<Blob> {
  if (kind === 'image') return photoWithoutLocation(file);
  if (kind === 'video') return clearFilm(file);
  return file;
}

async function photoWithoutLocation(file: File): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (head: string) => textAt(bytes, 0, head.length) === head;
  if (textAt(bytes, 4, 4) === 'ftyp') return clearItems(file).catch((error) => asItIs(file, error));
  if (begins('\xff\xd8')) return new Blob(clearJpeg(bytes), { type: file.type });
  if (begins(PNG_HEAD)) return new Blob(shortenPng(bytes), { type: file.type });
  if (isWebp(bytes)) return new Blob(shortenWebp(bytes), { type: file.type });
  return file;
}

/** A damaged file, whose boxes end early. */
function asItIs(file: File, error: unknown): File {
  if (error instanceof RangeError) return file;
  throw error;
}
