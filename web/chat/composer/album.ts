import { uniqueId } from '../../ui/secure-context.ts';
import { type FileForm, formsOf, takesCaption } from '../media/forms.ts';
import type { Unsent } from '../outbox/store.ts';

/** A file that was chosen, dropped or pasted. */
export interface ChosenFile {
  key: string;
  file: File;
  preferred?: FileForm;
  /** This browser cannot show it. */
  isUnreadable?: boolean;
}

/** The message types that it can be sent as, the likeliest first. */
export function formsOfChosen({ file, isUnreadable }: ChosenFile): FileForm[] {
  return isUnreadable ? ['doc'] : formsOf(file);
}

export function chosen(files: Iterable<File>, preferred?: FileForm): ChosenFile[] {
  return Array.from(files, (file) => ({
    key: uniqueId(),
    file,
    ...(preferred && { preferred }),
  }));
}

export type AddFiles = (added: Iterable<File>, preferred?: FileForm) => void;

/** How files are sent: a single file in one of its forms; several as media or all as documents. */
export type SendingForm = FileForm | 'media';

export interface FileToSend {
  key: string;
  file: File;
  content: Unsent['content'];
}

/** Larger selections are split into several albums. */
const MOST_IN_ALBUM = 10;

/**
 * The messages that files become. Several pictures and videos form albums; other files are sent on their own. The caption
 * goes with the first file that takes one.
 */
export function toSend(files: readonly ChosenFile[], form: SendingForm, caption: string): FileToSend[] {
  const forms = files.map((one) => (form === 'media' ? (formsOfChosen(one)[0] ?? 'doc') : form));
  const shown = forms.filter(isShownInAlbum).length;
  const captioned = forms.findIndex(takesCaption);
  let [albumId, left] = ['', 0];
  return files.map(({ key, file }, i) => {
    const type = forms[i] ?? 'doc';
    const isInAlbum = shown > 1 && isShownInAlbum(type);
    if (isInAlbum && left-- === 0) [albumId, left] = [uniqueId(), MOST_IN_ALBUM - 1];
    return {
      key,
      file,
      content: {
        type,
        ...(caption && i === captioned && { caption }),
        ...(isInAlbum && { fileDetails: { albumId } }),
        ...(type === 'doc' && { fileDetails: { size: file.size } }),
      },
    };
  });
}

function isShownInAlbum(form: FileForm): boolean {
  return form === 'image' || form === 'video';
}
