import { MEDIA_BYTES, type MediaKind } from '#contract/choices.ts';
import { kindOfType } from '#contract/media-types.ts';
import type { ContentType } from '#contract/messages.ts';

/** The message types that a file can be sent as, the likeliest first. */
export function formsOf({ type }: Pick<File, 'type'>): FileForm[] {
  const kind = kindOfType(type);
  if (kind === 'document') return ['doc'];
  if (type === 'image/gif') return ['gif', 'doc'];
  if (type === 'image/png' || type === 'image/webp') return ['image', 'sticker', 'doc'];
  return [kind, 'doc'];
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
