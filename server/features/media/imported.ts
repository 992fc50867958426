import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Media } from '#contract/media.ts';
import type { Tx } from '#platform/database.ts';
import { uploadIdOf } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import type { ExportedFile } from './exported.ts';
import { openMediaStore } from './open-store.ts';
import { deleteUnused, insertUse, selectIsUsed, updateUsed } from './queries.ts';
import { keepIncoming, stagingDirectory } from './receive.ts';

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
    /** Whether something here uses the upload. */
    isUsed: (mediaId: string): Promise<boolean> => selectIsUsed(deps.db, mediaId),
    /**
     * The same for a file of another server of Parley, which keeps its id; nothing here uses it yet.
     *
     * @throws ApiError 400, 413
     */
    async keepAs({
      mediaId,
      ownerId,
      kind,
      fileName,
      content,
    }: ExportedFile & { content: Readable }): Promise<void> {
      // An import that was killed may have left a part of it.
      await rm(join(stagingDirectory(config), mediaId), { force: true });
      await deps.db.begin((tx) => deleteUnused(tx, mediaId));
      const fields = { file: 'file', kind: 'type' } as const;
      const file = { mediaId, ownerId, kind, fields, contentLength: undefined, content };
      await keepIncoming({ ...deps, store }, { ...file, fileName: () => fileName }, clock.now());
    },
    /** A message, or something else with this id, names the upload at this address. */
    async use(tx: Tx, { url, usedBy }: { url: string; usedBy: string }): Promise<void> {
      const mediaId = uploadIdOf(url);
      if (mediaId === undefined) return;
      await updateUsed(tx, mediaId, clock.now());
      await insertUse(tx, { mediaId, usedBy });
    },
  };
}
