import { MEDIA_BYTES, type MediaKind } from '#contract/choices.ts';
import type { ContentType } from '#contract/messages.ts';

/** The message types that a file can be sent as, the likeliest first. */
export function formsOf({ type }: Pick<File, 'type'>): FileForm[] {
  // Only Safari can display them.
  if (isHeic({ type })) return ['doc'];
  if (type === 'image/gif') return ['gif', 'doc'];
  if (type === 'image/png' || type === 'image/webp') return ['image', 'sticker', 'doc'];
  if (type.startsWith('image/')) return ['image', 'doc'];
  if (type.startsWith('video/')) return ['video', 'doc'];
  if (type.startsWith('audio/')) return ['audio', 'doc'];
  return ['doc'];
}

export function isHeic({ type }: Pick<File, 'type'>): boolean {
  return type === 'image/heic' || type === 'image/heif';
}

/** The size limit in bytes of this form, if the file exceeds it. */
export function exceededLimit({ size }: Pick<File, 'size'>, form: FileForm): number | undefined {
  const limit = MEDIA_BYTES[kindOf(form)];
  return size > limit ? limit : undefined;
}

export type FileForm = Exclude<ContentType, 'text' | 'location'>;

/** The media kind that a file in this form is uploaded as. */
export function kindOf(form: FileForm): MediaKind {
  switch (form) {
    case 'image':
    case 'gif':
    case 'sticker':
      return 'image';
    case 'doc':
      return 'document';
    default:
      return form;
  }
}

/** The types that take a caption (contract §2). */
export function takesCaption(form: FileForm): boolean {
  return form === 'image' || form === 'video' || form === 'doc';
}
