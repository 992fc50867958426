import type { Accounts } from '#features/accounts/index.ts';
import type { Messages, ShowWritten } from '#features/messages/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { textsIn } from '#platform/texts.ts';
import type { DialogueKey } from './dialogue.ts';

/** A message that shows a secret. */
interface ShownSecret extends DialogueKey {
  msgId: string;
  personId: string;
}

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
  { bucket, conversationId }: DialogueKey,
  at: number,
): Promise<ShowWritten[] | undefined> {
  const secrets = await tx<(ShownSecret & { removeAt: number })[]>`
    select bucket, conversation_id, msg_id, person_id, remove_at
    from shown_secrets where bucket = ${bucket} and conversation_id = ${conversationId}`;
  if (secrets.some(({ removeAt }) => removeAt - SHOWN_MS > at)) return undefined;
  const replaced: ShowWritten[] = [];
  for (const shown of secrets) {
    const show = await removeSecret(tx, deps, shown);
    if (show) replaced.push(show);
  }
  return replaced;
}

/** One step of the worker: removes the secrets that have been shown for 10 minutes. A read over all shards. */
export async function removeDueSecrets(
  deps: SecretDeps & Platform,
  { limit }: { limit: number },
): Promise<void> {
  const { db, clock } = deps;
  const due = await db<ShownSecret[]>`
    select bucket, conversation_id, msg_id, person_id
    from shown_secrets where remove_at <= ${clock.now()} order by remove_at limit ${limit}`;
  for (const shown of due) {
    const show = await db.begin((tx) => removeSecret(tx, deps, shown));
    show?.();
  }
}

async function removeSecret(
  tx: Tx,
  { accounts, messages }: SecretDeps,
  shown: ShownSecret,
): Promise<ShowWritten | undefined> {
  const { bucket, conversationId, msgId } = shown;
  const removed = await tx`
    delete from shown_secrets
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId} returning msg_id`;
  // Another worker was faster.
  if (removed.length === 0) return undefined;
  const t = textsIn(await accounts.findLanguage(shown.personId, tx));
  return messages.botInbox.replaceText(tx, shown, t('bot.say.secretNotice'));
}
