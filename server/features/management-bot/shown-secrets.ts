import type { Messages, ShowWritten } from '#features/messages/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { DialogueKey } from './dialogue.ts';
import { deleteShownSecret, findDueSecrets, findShownSecrets, type ShownSecret } from './queries.ts';
import { TEXTS } from './texts.ts';

/** How long a secret is shown in a chat unless the person confirms having stored it. */
export const SHOWN_MS = 10 * 60_000;

/** Removes the secrets from a conversation. */
export async function removeSecrets(
  tx: Tx,
  messages: Messages,
  conversation: DialogueKey,
): Promise<ShowWritten[]> {
  const replaced: ShowWritten[] = [];
  for (const shown of await findShownSecrets(tx, conversation)) {
    const show = await removeSecret(tx, messages, shown);
    if (show) replaced.push(show);
  }
  return replaced;
}

/** One step of the worker: removes the secrets that have been shown for 10 minutes. */
export async function removeDueSecrets(
  { db, clock, messages }: Pick<Platform, 'db' | 'clock'> & { messages: Messages },
  { limit }: { limit: number },
): Promise<void> {
  for (const shown of await findDueSecrets(db, { now: clock.now(), limit })) {
    const show = await db.begin((tx) => removeSecret(tx, messages, shown));
    show?.();
  }
}

async function removeSecret(
  tx: Tx,
  { botInbox }: Messages,
  shown: ShownSecret,
): Promise<ShowWritten | undefined> {
  if (!(await deleteShownSecret(tx, shown))) return undefined;
  return botInbox.replaceText(tx, shown, TEXTS.secretNotice);
}
