import type { Readable } from 'node:stream';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { openMediaStore } from './open-store.ts';
import type { MediaRow } from './queries.ts';
import { openFileName } from './service.ts';

/** An upload that something names. */
export interface ExportedFile extends Pick<MediaRow, 'mediaId' | 'ownerId' | 'kind'> {
  fileName: string;
}

/** Uploads for an export. */
export function openExportedMedia({ keyring, config }: Pick<Platform, 'keyring' | 'config'>) {
  const store = openMediaStore(config);
  return {
    /** Those of the uploads that are served, by their ids. */
    async find(db: Db, mediaIds: readonly string[]): Promise<Map<string, ExportedFile>> {
      if (mediaIds.length === 0) return new Map();
      const rows = await db<Omit<MediaRow, 'contentType' | 'size' | 'createdAt'>[]>`
        select media_id, owner_id, kind, file_name, file_name_key_id
        from media where media_id = any(${[...mediaIds]}) and released_at is null`;
      return new Map(
        rows.map((row) => {
          const { mediaId, ownerId, kind } = row;
          return [mediaId, { mediaId, ownerId, kind, fileName: openFileName(keyring, row) }];
        }),
      );
    },
    /** Undefined if the store does not have it. */
    open: (mediaId: string): Promise<Readable | undefined> => store.read(mediaId, undefined),
  };
}
