import { textIn } from '#contract/languages.ts';
import type { Tx } from '#platform/database.ts';
import type { OperatorDeps } from '../deps.ts';
import { afterAllPeople } from './announce.ts';
import { lockUnsent, selectUnsent, updateProgress } from './queries.ts';

/** The number of people per transaction: some tens of milliseconds. */
export const BATCH_SIZE = 100;

/**
 * One slice of the worker: the built-in bot writes to the next people. Their messages and the position commit
 * together, so that each of them gets exactly one message.
 *
 * @returns whether there may be more
 */
export async function sendAnnouncements(deps: OperatorDeps): Promise<boolean> {
  for (const { announcementId } of await selectUnsent(deps.db)) {
    const sent = await deps.db.begin((tx) => sendBatch(tx, deps, announcementId));
    if (!sent) continue;
    sent.show();
    return true;
  }
  return false;
}

async function sendBatch(tx: Tx, { clock, accounts, managementBot }: OperatorDeps, announcementId: string) {
  const unsent = await lockUnsent(tx, announcementId);
  if (!unsent) return undefined;
  const { text, createdAt, toldUpTo } = unsent;
  const people = await accounts.operator.listPeople(tx, {
    after: toldUpTo,
    before: afterAllPeople(createdAt),
    limit: BATCH_SIZE,
  });
  const show = await managementBot.tell(
    tx,
    people.map(({ accountId, language }) => ({ personId: accountId, text: textIn(text, language) })),
  );
  const isDone = people.length < BATCH_SIZE;
  await updateProgress(tx, announcementId, {
    more: people.length,
    upTo: people.at(-1)?.accountId ?? toldUpTo,
    doneAt: isDone ? clock.now() : null,
  });
  return { show };
}
