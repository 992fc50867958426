import type { Accounts } from '#features/accounts/index.ts';
import type { Messages, ShowWritten } from '#features/messages/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { textsIn } from '#platform/texts.ts';
import type { DialogueKey } from './dialogue.ts';
import { deleteShownSecret, findDueSecrets, findShownSecrets, type ShownSecret } from './queries.ts';

interface SecretDeps {
  accounts: Pick<Accounts, 'findLanguage'>;
  messages: Messages;
}

/** How long a secret is shown in a chat unless the person confirms having stored it. */
export const SHOWN_MS = 10 * 60_000;

/**
 * Removes the secrets from a conversation. Undefined if one was shown after `at`, when the message that asks for it was sent: whoever
 * sends an answer twice has not seen the secret yet.
 */
export async function removeSecrets(
  tx: Tx,
  deps: SecretDeps,
  conversation: DialogueKey,
  at: number,
): Promise<ShowWritten[] | undefined> {
  const secrets = await findShownSecrets(tx, conversation);
  if (secrets.some(({ removeAt }) => removeAt - SHOWN_MS > at)) return undefined;
  const replaced: ShowWritten[] = [];
  for (const shown of secrets) {
    const show = await removeSecret(tx, deps, shown);
    if (show) replaced.push(show);
  }
  return replaced;
}

/** One step of the worker: removes the secrets that have been shown for 10 minutes. */
export async function removeDueSecrets(
  deps: SecretDeps & Platform,
  { limit }: { limit: number },
): Promise<void> {
  const { db, clock } = deps;
  for (const shown of await findDueSecrets(db, { now: clock.now(), limit })) {
    const show = await db.begin((tx) => removeSecret(tx, deps, shown));
    show?.();
  }
}

async function removeSecret(
  tx: Tx,
  { accounts, messages }: SecretDeps,
  shown: ShownSecret,
): Promise<ShowWritten | undefined> {
  if (!(await deleteShownSecret(tx, shown))) return undefined;
  const t = textsIn(await accounts.findLanguage(shown.personId, tx));
  return messages.botInbox.replaceText(tx, shown, t('bot.say.secretNotice'));
}
