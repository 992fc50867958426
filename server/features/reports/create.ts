import type { CreateReport } from '#contract/chat/reports.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Messages } from '#features/messages/index.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { insertReport } from './queries.ts';
import { type ReportBody, sealReport } from './view.ts';

export type ReportDeps = Platform & {
  accounts: Accounts;
  media: Media;
  messages: Messages;
  limit: RateLimit;
};

/**
 * A person reports messages of a conversation to the operator. Copies of them are kept with their files, even
 * if the messages are changed later; nobody else learns of the report.
 *
 * @throws ApiError 404 conversation or message, 400 oneself, 429 too many
 */
export async function createReport(
  deps: ReportDeps,
  accountId: string,
  { conversationId, userId, reason, comment, msgIds }: CreateReport,
  { id: reportId }: Reserved,
): Promise<{ reportId: string }> {
  const { db, clock, keyring, accounts, media, messages, limit } = deps;
  if (userId === accountId) throw failedPrecondition('report.yourself');
  const wanted = [...new Set(msgIds)];
  const chosen = await messages.readChosen({ accountId, conversationId }, wanted);
  if (chosen.length < wanted.length) throw notFound('conversation.no-message');
  const reported = userId === undefined ? undefined : await accounts.find(userId);
  if (userId !== undefined && !reported) throw notFound('recipient.unknown', { field: 'userId' });
  await limit.count(accountId);
  for (const message of chosen) await media.claim(message, message.msgId, reportId);
  const body: ReportBody = { messages: chosen, ...(comment?.trim() && { comment }) };
  const row = {
    accountId,
    reportId,
    reportedId: userId ?? null,
    target: reported ? (reported.isBot ? ('bot' as const) : ('person' as const)) : ('group' as const),
    conversationId,
    reason,
    ...sealReport(keyring, reportId, body),
    createdAt: clock.now(),
  };
  await db.begin(async (tx) => {
    await accounts.lockActor(tx, accountId);
    await insertReport(tx, row);
  });
  return { reportId };
}
