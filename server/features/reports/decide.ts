import type { ReportState } from '#contract/reports.ts';
import type { Media } from '#features/media/index.ts';
import { notFound } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { type ReportRow, updateDecided } from './queries.ts';
import { openReport } from './view.ts';

/**
 * The operator is done with a report. Its messages stay in it; their files go with the last message that names them.
 *
 * @throws ApiError 404 when it is decided already
 */
export async function decideReport(
  { db, clock, keyring, media }: Pick<Platform, 'db' | 'clock' | 'keyring'> & { media: Media },
  { reporterId, reportId }: { reporterId: string; reportId: string },
  state: Exclude<ReportState, 'open'>,
): Promise<void> {
  const at = clock.now();
  await db.begin(async (tx) => {
    const row = await updateDecided(tx, { accountId: reporterId, reportId, state, at });
    if (!row) throw notFound('report.unknown');
    for (const url of filesOf(keyring, row))
      await media.release(tx, { url, usedBy: reportId, ownerId: reporterId, at });
  });
}

function filesOf(keyring: Platform['keyring'], row: ReportRow): string[] {
  const { messages = [] } = openReport(keyring, row) ?? {};
  return messages.flatMap(({ fileUrl, thumbnailUrl }) => [fileUrl ?? [], thumbnailUrl ?? []].flat());
}
