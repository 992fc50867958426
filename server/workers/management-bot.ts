import { answerDue } from '#features/management-bot/answer-due.ts';
import { removeExpiredDialogues } from '#features/management-bot/expiry.ts';
import { MANAGEMENT_BOT_ID } from '#features/management-bot/identity.ts';
import { removeDueSecrets } from '#features/management-bot/shown-secrets.ts';
import type { Platform } from '#platform/platform.ts';

/** Each holds a connection while it is answered. */
const AT_ONCE = 4;
const POLL_MS = 1_000;
const SWEEP_EVERY_MS = 5_000;
const SWEPT_AT_ONCE = 100;

/**
 * Answers for the management bot until it is disposed of, which lets the answers under way end. Woken by what is shown
 * to the bot's account as to any other, else by the poll, which finds what a crash left behind.
 */
export function startManagementBotWorker(
  platform: Platform,
  { pollMs = POLL_MS }: { pollMs?: number } = {},
): AsyncDisposable {
  const { live, clock, log } = platform;
  let isClosing = false;
  let isWoken = false;
  let sweepsAt = 0;
  let step: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    if (clock.now() < sweepsAt) return;
    sweepsAt = clock.now() + SWEEP_EVERY_MS;
    await removeDueSecrets(platform, { limit: SWEPT_AT_ONCE });
    await removeExpiredDialogues(platform);
  }
  async function answerAll(): Promise<void> {
    do {
      isWoken = false;
      let found = 0;
      do found = await answerDue(platform, { limit: AT_ONCE });
      while (found > 0 && !isClosing);
    } while (isWoken && !isClosing);
    await sweep();
  }
  const run = () => {
    isWoken = true;
    if (isClosing) return;
    step ??= answerAll()
      // A database that is away, say; the next poll tries again.
      .catch((error) => log.error({ err: error }, 'the management bot could not look for messages'))
      .finally(() => {
        step = undefined;
      });
  };
  const unsubscribe = live.subscribe(MANAGEMENT_BOT_ID, run);
  const timer = setInterval(run, pollMs);
  run();
  return {
    async [Symbol.asyncDispose]() {
      isClosing = true;
      clearInterval(timer);
      unsubscribe();
      await step;
    },
  };
}
