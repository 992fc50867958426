import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Tx } from '#platform/database.ts';
import { insertMentions, type Mention } from './access/mention-queries.ts';
import type { ListedConversation } from './access/queries.ts';

/** A conversation in somebody's list on another server, with how they keep it. */
export type OwnSettingsRow = {
  accountId: string;
  deliveredMsgId: string | null;
} & Omit<ListedConversation, 'settingsVersion' | 'hasDraft'>;

/** Lists conversations for people as they had them; where one is listed already, only its marker moves. */
export async function importOwnSettings(tx: Tx, listings: readonly OwnSettingsRow[]): Promise<void> {
  const ordered = listings.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
  for (const part of inChunks(ordered, IMPORTED_AT_ONCE))
    await tx`
      insert into account_conversations as listed
        ${tx(part, 'accountId', 'conversationId', 'bucket', 'kind', 'peerId', 'createdAt', 'readMsgId', 'hiddenMsgId', 'deliveredMsgId', 'archivedMsgId', 'isMuted', 'mutedUntil', 'notifyOf', 'hasSound', 'pinnedAt')}
      on conflict (account_id, conversation_id) do update set read_msg_id = excluded.read_msg_id
        where excluded.read_msg_id > coalesce(listed.read_msg_id, '')`;
}

/** Messages that mention people who have not read them. */
export async function importMentions(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  for (const part of inChunks(mentions, IMPORTED_AT_ONCE)) await insertMentions(tx, part);
}

/** Moves the markers of people who have the conversation in their list. */
export async function moveMarkers(
  tx: Tx,
  listings: readonly Pick<OwnSettingsRow, 'accountId' | 'conversationId' | 'readMsgId'>[],
): Promise<void> {
  const ordered = listings.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
  for (const { accountId, conversationId, readMsgId } of ordered)
    if (readMsgId !== null)
      await tx`
        update account_conversations set read_msg_id = ${readMsgId}
        where account_id = ${accountId} and conversation_id = ${conversationId}
          and (read_msg_id is null or read_msg_id < ${readMsgId})`;
}

/** For how long people keep the messages of conversations; here it may have been decided already. */
export async function importRetention(
  tx: Tx,
  rows: readonly { bucket: number; conversationId: string; lifetimeDays: number }[],
): Promise<void> {
  for (const part of inChunks(rows, IMPORTED_AT_ONCE))
    await tx`
      insert into conversation_retention ${tx(part, 'bucket', 'conversationId', 'lifetimeDays')}
      on conflict (bucket, conversation_id) do nothing`;
}

/** Messages that people deleted for themselves. */
export async function importHidden(
  tx: Tx,
  rows: readonly { accountId: string; msgId: string }[],
): Promise<void> {
  for (const part of inChunks(rows, IMPORTED_AT_ONCE))
    await tx`
      insert into hidden_messages ${tx(part, 'accountId', 'msgId')} on conflict (account_id, msg_id) do nothing`;
}
