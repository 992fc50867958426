import { MEDIA_KINDS, type MediaKind } from './choices.ts';

/** Types that a browser may show inline. None can run scripts: SVG, HTML, XML and PDF must never be added. */
const SHOWN: Record<Exclude<MediaKind, 'document'>, readonly string[]> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'],
  video: ['video/mp4', 'video/webm', 'video/quicktime'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav', 'audio/aac', 'audio/webm', 'audio/flac'],
};

/** Other names of the same types, as browsers and detection give them. */
const SAME: Record<string, string> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/x-aac': 'audio/aac',
  'audio/vnd.dlna.adts': 'audio/aac',
  'audio/x-flac': 'audio/flac',
};

/** The type of every file that is only downloaded. */
export const DOWNLOADED = 'application/octet-stream';

/**
 * The type with which a file is served; a document is always downloaded. Undefined if browsers show nothing of this kind.
 *
 * @param given the type of the file, if known
 */
export function servedType(kind: MediaKind, given: string | undefined): string | undefined {
  if (kind === 'document') return DOWNLOADED;
  const type = (given ?? '').split(';', 1)[0] as string;
  const candidates = [SAME[type] ?? type];
  // An audio recording may come in a video container.
  if (kind === 'audio') candidates.push(type.replace(/^video\/(mp4|webm)$/, 'audio/$1'));
  if (kind === 'audio' && type === 'video/ogg') candidates.push('audio/ogg');
  return candidates.find((candidate) => SHOWN[kind].includes(candidate));
}

/** The kind of a file whose uploader named none. */
export function kindOfType(given: string | undefined): MediaKind {
  return MEDIA_KINDS.find((kind) => servedType(kind, given) !== undefined) as MediaKind;
}
