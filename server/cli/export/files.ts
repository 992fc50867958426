import type { Tx } from '#platform/database.ts';
import { ApiError } from '#platform/errors.ts';
import { requireFileUrl, uploadIdOf } from '#platform/files/upload-links.ts';
import { ExportError, type Where } from '../import/items.ts';
import type { BringDeps } from './deps.ts';
import { type File, pathOfFile } from './format.ts';

/** Stores the files that a line names, before what names them: without a use, they would be gone after a day. */
export async function keepFiles(
  { source, media, report, kept, isDry }: BringDeps,
  files: readonly File[] = [],
  where: Where,
): Promise<void> {
  for (const file of files) {
    const { mediaId } = file;
    if (kept.has(mediaId)) continue;
    kept.add(mediaId);
    if (await media.isUsed(mediaId)) continue;
    const entry = await source.find(pathOfFile(mediaId));
    report.count(entry ? 'files' : 'files that are missing');
    if (!entry || isDry) continue;
    try {
      await media.keepAs({ ...file, content: await entry.open() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new ExportError(where, `${entry.path}: ${error.message}`);
    }
  }
}

/** Records that something with this id names those of the addresses that are uploads. */
export async function recordUses(
  tx: Tx,
  { media }: Pick<BringDeps, 'media'>,
  urls: readonly (string | null | undefined)[],
  usedBy: string,
): Promise<void> {
  for (const url of urls)
    if (url != null && uploadIdOf(url) !== undefined) await media.use(tx, { url, usedBy });
}

/** Pages load these addresses. @throws ExportError for one that is neither an upload nor public https */
export function checkAddresses(where: Where, urls: readonly (string | null | undefined)[]): void {
  for (const url of urls) {
    if (url == null) continue;
    try {
      requireFileUrl('the address', url);
    } catch (error) {
      throw new ExportError(where, `${url}: ${(error as Error).message}`);
    }
  }
}
