import { type MediaKind, UPLOAD_BYTES } from '#contract/media.ts';
import type { ContentType } from '#contract/messages.ts';
import type { openImportedMedia } from '#features/media/index.ts';
import type { ImportedMessage } from '#features/messages/index.ts';
import { ApiError } from '#platform/errors.ts';
import { ExportError, type SourceFile, type Where } from './items.ts';
import type { Part } from './parts.ts';
import type { Report } from './report.ts';
import { findFile, type Source } from './source.ts';

export interface UploadDeps {
  source: Source;
  report: Report;
  media: ReturnType<typeof openImportedMedia>;
  isDry: boolean;
}

interface WithFile extends Pick<ImportedMessage, 'senderId' | 'content'> {
  part: Part;
  where: Where;
}

/** Stores the file of a message, which then has it. If there is none, the message stays the text that names it. */
export async function keepFile({ source, report, media, isDry }: UploadDeps, draft: WithFile): Promise<void> {
  const { file, text: caption } = draft.part;
  const entry = file?.path === undefined ? undefined : await findFile(source, file.path, draft.where);
  const isTooLarge = entry !== undefined && entry.size > UPLOAD_BYTES;
  if (!file || !entry || entry.size === 0 || isTooLarge) {
    const missing = file?.isLinked ? 'files that are only linked' : 'missing files';
    return report.count(isTooLarge ? 'files that are too large' : missing);
  }
  if (isDry) return report.count('files');
  try {
    const content = await entry.open();
    const { url, kind, size } = await media.keep({ ownerId: draft.senderId, fileName: file.name, content });
    const { content: _, ...body } = draft.content.body;
    draft.content = {
      ...draft.content,
      type: typeOf(file, kind, caption),
      body: {
        ...body,
        fileUrl: url,
        ...(caption !== '' && { caption }),
        ...(kind === 'document' && { fileDetails: { size } }),
      },
    };
    report.count('files');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 413) throw new ExportError(draft.where, `${entry.path}: ${error.message}`);
    report.count('files that are too large');
  }
}

/** An audio message has no caption. */
function typeOf({ isSticker }: SourceFile, kind: MediaKind, caption: string): ContentType {
  if (kind === 'document' || (kind === 'audio' && caption !== '')) return 'doc';
  return kind === 'image' && isSticker ? 'sticker' : kind;
}
