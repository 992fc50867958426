import type { Tx } from '#platform/database.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { MessageDeps } from '../deps.ts';
import { lockMessage } from '../queries.ts';
import { refuseMissing } from '../rules.ts';
import { replaceByTombstone } from './tombstone.ts';

/** Messages to be removed from one conversation, and by whom. */
export interface RemovedMessages {
  conversationId: string;
  msgIds: readonly string[];
  deletedBy: string;
}

/**
 * Deletes messages for everybody, whoever wrote them, in a transaction of the caller. Messages that are already
 * deleted do not change.
 *
 * @returns shows it on open pages, after the commit
 */
export async function removeMessages(
  tx: Tx,
  deps: MessageDeps,
  { conversationId, msgIds, deletedBy }: RemovedMessages,
): Promise<() => void> {
  const bucket = bucketOf(conversationId);
  const at = deps.clock.now();
  const audience = await findAudience(tx, deps, { bucket, conversationId });
  const shows: (() => void)[] = [];
  for (const msgId of [...msgIds].sort()) {
    const message = await lockMessage(tx, { bucket, conversationId, msgId });
    if (!message || refuseMissing(message)) continue;
    shows.push(await replaceByTombstone(tx, deps, message, { deletedBy, at, ...audience }));
  }
  return () => {
    for (const show of shows) show();
  };
}

/** Who sees the messages of a conversation, on which pages, and which applications receive them. */
async function findAudience(
  tx: Tx,
  { accounts, contacts, groups }: MessageDeps,
  { bucket, conversationId }: { bucket: number; conversationId: string },
): Promise<{ topics: string[]; appIds: string[] }> {
  if (isId('grp', conversationId)) {
    const bots = await groups.findBots([{ bucket, groupId: conversationId }], tx);
    return { topics: [conversationId], appIds: bots.map(({ botAppId }) => botAppId) };
  }
  const participants = await contacts.findParticipants(tx, { bucket, conversationId });
  const found = await accounts.findAll(participants, tx);
  return { topics: participants, appIds: found.flatMap(({ appId }) => appId ?? []) };
}
