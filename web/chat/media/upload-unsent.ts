import { upload } from '../../ui/media.ts';
import { language } from '../../ui/texts.ts';
import { findFile } from '../outbox/files.ts';
import type { OutboxStore, Unsent } from '../outbox/store.ts';
import type { Upload, Uploaded } from '../outbox/uploads.ts';
import { type FileForm, kindOf } from './forms.ts';
import { lengthOf, posterOf } from './poster.ts';
import { mediaTexts } from './texts.ts';

/** Uploads the file of a message, a video with a still frame. If several windows are open, only one uploads it. */
export function uploadUnsent(store: OutboxStore): Upload {
  return (unsent, { signal, onProgress }) =>
    navigator.locks.request(`parley-upload:${unsent.file?.key}`, { signal }, async () => {
      const uploaded = store.read(unsent.key)?.content;
      return uploaded?.fileUrl ? uploaded : uploadFile(unsent, { signal, onProgress });
    });
}

async function uploadFile(
  { file: kept, content }: Unsent,
  { signal, onProgress }: Parameters<Upload>[1],
): Promise<Uploaded> {
  const file = kept && (await findFile(kept.key));
  if (!file) throw new Error(mediaTexts[language()].fileGone);
  const form = content.type as FileForm;
  const poster = form === 'video' ? await makePoster(file) : undefined;
  const durationMs =
    content.fileDetails?.durationMs ?? (form === 'audio' ? await lengthOf(file) : poster?.durationMs);
  const still = poster && (await upload(poster.picture, 'image', { signal }));
  const { url } = await upload(file, kindOf(form), { onProgress, signal });
  return {
    fileUrl: url,
    ...(still && { thumbnailUrl: still.url }),
    ...(durationMs !== undefined && { fileDetails: { durationMs } }),
  };
}

async function makePoster(file: File) {
  return posterOf(file).catch(() => {
    throw new Error(mediaTexts[language()].noPoster);
  });
}
