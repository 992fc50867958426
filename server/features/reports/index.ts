import { CHAT } from '#contract/api/chat.ts';
import type { CreateReport, Report, ReportDecision } from '#contract/chat/reports.ts';
import { say } from '#contract/reasons.ts';
import type { AccountHook, Accounts } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import { type Messages, usesOf } from '#features/messages/index.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { type Reserved, serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { withDeps } from '#platform/with-deps.ts';
import { deleteDecidedOf, insertReport, selectReportsOf, selectWaiting, updateDecided } from './queries.ts';
import {
  findNextOpen,
  findRelated,
  findReport,
  listReports,
  type ReportBody,
  sealReport,
  viewReport,
} from './view.ts';

const REPORTS_PER_DAY = 20;

/** People's reports to the operator, and the operator's decisions. */
export type Reports = ReturnType<typeof createReports>['api'];

export function createReports(given: Omit<ReportDeps, 'limit'>) {
  const limit = new RateLimit(given, {
    name: 'reports',
    limit: REPORTS_PER_DAY,
    windowMs: 24 * 3_600_000,
    refusal: say('person.reporting-many'),
  });
  const deps: ReportDeps = { ...given, limit };
  const { db, keyring } = deps;
  return {
    api: {
      ...withDeps(deps, { list: listReports, find: findReport, findRelated, findNextOpen }),
      ...withDeps(db, { findWaiting: selectWaiting }),
      /**
       * Closes a report, in the transaction that carries out the decision. @throws ApiError 404 if it has already
       * been decided
       */
      decide: (tx: Tx, report: Report, decision: ReportDecision) => decideReport(tx, deps, report, decision),
    },
    routes: [
      serve(CHAT, {
        'POST /reports': ({ person, body, reserved }) => createReport(deps, person.accountId, body, reserved),
      }),
    ],
    hooks: {
      account: {
        sections: {
          async *reports(accountId) {
            for (const row of await selectReportsOf(db, accountId)) yield viewReport(keyring, row);
          },
        },
        // Open reports stay: people may delete their account because of what they reported.
        deleted: (tx, { accountId }) => deleteDecidedOf(tx, accountId),
      } satisfies AccountHook,
    },
  };
}

/**
 * Closes a report after the operator's decision. It keeps its messages; their files are deleted with the last
 * message that uses them.
 *
 * @throws ApiError 404 if it has already been decided
 */
async function decideReport(
  tx: Tx,
  { clock, media }: Platform & { media: Media },
  report: Report,
  decision: ReportDecision,
): Promise<void> {
  const at = clock.now();
  const state = decision === 'nothing' ? 'dismissed' : 'acted';
  if (!(await updateDecided(tx, report, { state, decision, at }))) throw notFound('report.unknown');
  const { reportId: msgId, reporterId: senderId } = report;
  const uses = report.messages.flatMap((message) => usesOf({ msgId, senderId }, message));
  await media.release(tx, uses, at);
}

type ReportDeps = Platform & {
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
async function createReport(
  deps: ReportDeps,
  accountId: string,
  { conversationId, userId, reason, comment, msgIds }: CreateReport,
  { id: reportId }: Reserved,
): Promise<{ reportId: string }> {
  const { db, clock, keyring, accounts, media, messages, limit } = deps;
  if (userId === accountId) throw failedPrecondition('report.yourself');
  const wanted = [...new Set(msgIds)];
  const read = async () => {
    const found = await messages.readChosen({ accountId, conversationId }, wanted);
    if (found.length < wanted.length) throw notFound('conversation.no-message');
    return found;
  };
  const chosen = await read();
  const reported = userId === undefined ? undefined : await accounts.find(userId);
  if (userId !== undefined && !reported) throw notFound('recipient.unknown', { field: 'userId' });
  await limit.count(accountId);
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
  const store = async () => {
    // Those that were deleted before their files were claimed would never release them.
    await read();
    await db.begin(async (tx) => {
      await accounts.lockActor(tx, accountId);
      await insertReport(tx, row);
    });
  };
  const claimAndStore = chosen.reduce<() => Promise<void>>(
    (rest, message) => () => media.withClaim(message, [message.msgId, reportId], rest),
    store,
  );
  await claimAndStore().catch(async (error) => {
    // A file that is gone went with its message.
    await read();
    throw error;
  });
  return { reportId };
}

/** How many reports wait for the operator, and for how long. */
export function watchReports({ metrics, db, clock }: Platform): void {
  metrics.gauge(
    'parley_reports_open',
    'Reports that wait for a decision of the operator.',
    async () => (await selectWaiting(db)).open,
  );
  metrics.gauge('parley_reports_age_seconds', 'For how long the oldest open report has waited.', async () => {
    const now = clock.now();
    return (now - ((await selectWaiting(db)).oldestAt ?? now)) / 1000;
  });
}
