import type { ShowWritten } from '#features/messages/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { answerDue } from './answer-due.ts';
import { removeExpiredDialogues } from './expiry.ts';
import { MANAGEMENT_BOT_ID } from './identity.ts';
import { removeDueSecrets } from './shown-secrets.ts';
import type { Faces } from './turn.ts';

export { installManagementBot, MANAGEMENT_BOT_ID } from './identity.ts';

/** The bot of the server itself, with which people create and change their bots (docs/decisions/0014). */
export type ManagementBot = ReturnType<typeof createManagementBot>;

export function createManagementBot(platform: Platform, features: Faces) {
  return {
    ...withDeps({ ...platform, ...features }, { answerDue, removeDueSecrets, removeExpiredDialogues }),
    /**
     * Writes to people unprompted, in the caller's transaction; call the returned function after the commit.
     */
    tell: (tx: Tx, told: readonly { personId: string; text: string }[]): Promise<ShowWritten> =>
      features.messages.botInbox.tell(tx, MANAGEMENT_BOT_ID, told),
  };
}
