import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { claimUploads, releaseUpload, type UploadFields } from './service.ts';

/** Uploads: the files that people send and show. */
export type Media = ReturnType<typeof createMedia>;

export function createMedia(platform: Platform) {
  return {
    /**
     * Keeps the uploads that a request refers to from being removed as unused.
     *
     * @throws ApiError 400 for the field that refers to no upload
     */
    claim: (body: UploadFields) => claimUploads(platform, body),
    /** Leaves an upload of `ownerId` to the worker, which removes what nothing refers to. */
    release: (tx: Tx, upload: { url: string; ownerId: string }) => releaseUpload(tx, upload),
  };
}
