import { MANAGEMENT_BOT_ID, type ManagementBot } from '#features/management-bot/index.ts';
import { restMs } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { startWork } from './work.ts';

/** Each holds a database connection while it is answered. */
const AT_ONCE = 4;
const SWEEP_EVERY_MS = 5_000;
const SWEPT_AT_ONCE = 100;

/**
 * Answers for the management bot until it is disposed of, which waits for answers in progress. Woken by the
 * live events of the bot's account, or by the poll, which finds messages that a crash left unanswered.
 */
export function startManagementBotWorker(
  { managementBot, ...platform }: Platform & { managementBot: ManagementBot },
  { pollMs = 1_000 }: { pollMs?: number } = {},
): AsyncDisposable {
  const started = new AsyncDisposableStack();
  const answering = started.use(
    startWork(platform, { name: 'management-bot', everyMs: pollMs }, async () =>
      (await managementBot.answerDue({ limit: AT_ONCE })) > 0 ? 0 : restMs(platform.shards),
    ),
  );
  started.use(
    startWork(platform, { name: 'management-bot-expiry', everyMs: SWEEP_EVERY_MS }, async () => {
      await managementBot.removeDueSecrets({ limit: SWEPT_AT_ONCE });
      await managementBot.removeExpiredDialogues();
      return restMs(platform.shards);
    }),
  );
  started.defer(platform.live.subscribe(MANAGEMENT_BOT_ID, () => answering.wake()));
  return started;
}
