import type { Readable } from 'node:stream';
import type { Media } from '#contract/media.ts';
import type { Tx } from '#platform/database.ts';
import { uploadIdOf } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import { openMediaStore } from './open-store.ts';
import { insertUse, updateUsed } from './queries.ts';
import { keepIncoming } from './receive.ts';

/** A file that somebody sent with another product. */
interface ImportedFile {
  ownerId: string;
  fileName: string;
  content: Readable;
}

/** Uploads of another product's history: they count for nobody's limit. */
export function openImportedMedia(deps: Pick<Platform, 'db' | 'random' | 'keyring' | 'config' | 'clock'>) {
  const { config, clock } = deps;
  const store = openMediaStore(config);
  return {
    /** A file that no message names within a day is removed. @throws ApiError 400, 413 */
    keep: ({ ownerId, fileName, content }: ImportedFile): Promise<Media> =>
      keepIncoming(
        { ...deps, store },
        {
          ownerId,
          kind: undefined,
          fields: { file: 'file', kind: 'type' },
          contentLength: undefined,
          content,
          fileName: () => fileName,
        },
        clock.now(),
      ),
    /** A message names the upload at this address. */
    async use(tx: Tx, { url, msgId }: { url: string; msgId: string }): Promise<void> {
      const mediaId = uploadIdOf(url);
      if (mediaId === undefined) return;
      await updateUsed(tx, mediaId, clock.now());
      await insertUse(tx, { mediaId, usedBy: msgId });
    },
  };
}
