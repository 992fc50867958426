import type { Report, ReportDecision } from '#contract/chat/reports.ts';
import type { Media } from '#features/media/index.ts';
import type { Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { updateDecided } from './queries.ts';

/**
 * Closes a report after the operator's decision. It keeps its messages; their files are deleted with the last
 * message that uses them.
 *
 * @throws ApiError 404 if it has already been decided
 */
export async function decideReport(
  tx: Tx,
  { clock, media }: Pick<Platform, 'clock'> & { media: Media },
  { reporterId, reportId, messages }: Pick<Report, 'reporterId' | 'reportId' | 'messages'>,
  decision: ReportDecision,
): Promise<void> {
  const at = clock.now();
  const state = decision === 'nothing' ? 'dismissed' : 'acted';
  const row = await updateDecided(tx, { accountId: reporterId, reportId, state, decision, at });
  if (!row) throw notFound('report.unknown');
  for (const { fileUrl, thumbnailUrl } of messages)
    for (const url of [fileUrl, thumbnailUrl])
      if (url !== undefined) await media.release(tx, { url, usedBy: reportId, ownerId: reporterId, at });
}
