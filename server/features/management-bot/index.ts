import type { WaitingMessage } from '#features/messages/index.ts';
import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { checkForSaving } from '#platform/safe-fetch/guard.ts';
import type { UrlCheck } from '#platform/safe-fetch/url.ts';
import { withDeps } from '#platform/with-deps.ts';
import { answerMessage, type Talk } from './answer-message.ts';
import { MANAGEMENT_BOT_ID } from './identity.ts';
import { removeDueSecrets } from './shown-secrets.ts';
import { answer, explainRefusal } from './talk.ts';
import { type Deps, type Faces, UrlCheckNeeded } from './turn.ts';

/** The number of internal failures after which the person is told. */
const MAX_FAILURES = 5;
const FIRST_WAIT_MS = 1_000;

/**
 * One step of the worker: answers messages that wait, at most one of each conversation, so that everybody is answered
 * in the order of their messages.
 *
 * @returns how many it found
 */
export async function answerDue(deps: Deps, { limit }: { limit: number }): Promise<number> {
  const asked = { botId: MANAGEMENT_BOT_ID, now: deps.clock.now(), limit };
  const found = await deps.messages.botInbox.findDue(asked);
  await Promise.all(found.map((waiting) => answerOrPostpone(deps, waiting)));
  return found.length;
}

async function answerOrPostpone(deps: Deps, waiting: WaitingMessage): Promise<void> {
  try {
    await answerOne(deps, waiting);
  } catch (error) {
    deps.log.error({ err: error, msgId: waiting.msgId }, 'the management bot could not answer');
    const failures = waiting.attempts + 1;
    if (failures >= MAX_FAILURES)
      await answerMessage(deps, waiting, { talk: sayThatItFailed, checkedUrls: new Map() });
    else {
      const nextAttemptAt = deps.clock.now() + FIRST_WAIT_MS * 2 ** waiting.attempts;
      await deps.db.begin((tx) => deps.messages.botInbox.postpone(tx, waiting, nextAttemptAt));
    }
  }
}

const sayThatItFailed: Talk = ({ dialogue, t }) => ({ text: t('bot.say.failed'), next: dialogue.step });

async function answerOne(deps: Deps, waiting: WaitingMessage): Promise<void> {
  const checkedUrls = new Map<string, UrlCheck>();
  let talk: Talk = answer;
  for (;;) {
    try {
      return await answerMessage(deps, waiting, { talk, checkedUrls });
    } catch (error) {
      // The turn was rolled back; it is repeated with the result of the check, or with an answer that explains
      // the refusal.
      if (error instanceof UrlCheckNeeded)
        checkedUrls.set(error.url, await checkForSaving(deps.guard, error.url));
      else if (error instanceof ApiError && error.status < 500 && talk === answer)
        talk = (turn) => explainRefusal(error, turn);
      else throw error;
    }
  }
}

export { installManagementBot, MANAGEMENT_BOT_ID } from './identity.ts';

/** The bot of the server itself, with which people create and change their bots (docs/decisions/0014). */
export type ManagementBot = ReturnType<typeof createManagementBot>;

export function createManagementBot(platform: Platform, features: Faces) {
  return withDeps({ ...platform, ...features }, { answerDue, removeDueSecrets, removeExpiredDialogues });
}

/** One step of the expiry worker: deletes abandoned dialogues, by a write over all shards. */
async function removeExpiredDialogues({ db, clock }: Platform): Promise<void> {
  await db.begin((tx) => tx`delete from dialogues where expires_at <= ${clock.now()}`);
}
