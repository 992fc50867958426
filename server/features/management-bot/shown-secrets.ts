import { replaceText, showReplaced } from '#features/messages/replace-text.ts';
import type { MessageRow } from '#features/messages/service.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { DialogueKey } from './dialogue.ts';
import { deleteShownSecret, findDueSecrets, findShownSecrets, type ShownSecret } from './queries.ts';
import { TEXTS } from './texts.ts';

/** How long a secret stands in a chat when nobody says that it is kept. */
export const SHOWN_MS = 10 * 60_000;

/** Takes the secrets out of a conversation. Returns the messages as they are now, to be shown after the commit. */
export async function removeSecrets(
  tx: Tx,
  deps: Pick<Platform, 'keyring'>,
  conversation: DialogueKey,
): Promise<MessageRow[]> {
  const replaced: MessageRow[] = [];
  for (const shown of await findShownSecrets(tx, conversation)) {
    const row = await removeSecret(tx, deps, shown);
    if (row) replaced.push(row);
  }
  return replaced;
}

/** One step of the worker: takes out the secrets that have stood for 10 minutes. */
export async function removeDueSecrets(
  deps: Pick<Platform, 'db' | 'clock' | 'keyring' | 'live'>,
  { limit }: { limit: number },
): Promise<void> {
  for (const shown of await findDueSecrets(deps.db, { now: deps.clock.now(), limit })) {
    const row = await deps.db.begin((tx) => removeSecret(tx, deps, shown));
    if (row) showReplaced(deps, shown.personId, row);
  }
}

async function removeSecret(
  tx: Tx,
  deps: Pick<Platform, 'keyring'>,
  shown: ShownSecret,
): Promise<MessageRow | undefined> {
  if (!(await deleteShownSecret(tx, shown))) return undefined;
  return replaceText(tx, deps, shown, TEXTS.secretNotice);
}
