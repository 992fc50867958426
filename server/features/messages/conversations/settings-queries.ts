import type { Notify } from '#contract/chat/conversation-settings.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { OwnConversation } from '../access/own-conversation.ts';
import type { ListedConversation } from '../access/queries.ts';

type Changed = Omit<ListedConversation, 'hasDraft'>;

/** The changed settings of a conversation; undefined ones stay. */
export interface SettingsChange {
  mute?: { isMuted: boolean; mutedUntil: number | null } | undefined;
  notifyOf?: Notify | undefined;
  hasSound?: boolean | undefined;
  pinnedAt?: number | null | undefined;
  archivedMsgId?: string | null | undefined;
}

export async function updateSettings(
  tx: Tx,
  { accountId, conversationId }: OwnConversation,
  { mute, notifyOf, hasSound, pinnedAt, archivedMsgId }: SettingsChange,
): Promise<Changed | undefined> {
  const [listed] = await tx<Changed[]>`
    update account_conversations
    set is_muted = coalesce(${mute?.isMuted ?? null}, is_muted),
      muted_until = case when ${mute === undefined}::boolean then muted_until else ${mute?.mutedUntil ?? null} end,
      notify_of = coalesce(${notifyOf ?? null}, notify_of), has_sound = coalesce(${hasSound ?? null}, has_sound),
      pinned_at = case when ${pinnedAt === undefined}::boolean then pinned_at else ${pinnedAt ?? null} end,
      archived_msg_id =
        case when ${archivedMsgId === undefined}::boolean then archived_msg_id else ${archivedMsgId ?? null} end,
      settings_version = settings_version + 1
    where account_id = ${accountId} and conversation_id = ${conversationId}
    returning conversation_id, bucket, kind, peer_id, created_at, read_msg_id, hidden_msg_id, is_muted, muted_until,
      notify_of, has_sound, pinned_at, archived_msg_id, settings_version`;
  return listed;
}

/** How many conversations a person has pinned, without counting one of them. */
export async function countPinned(db: Db, { accountId, conversationId }: OwnConversation): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from account_conversations
    where account_id = ${accountId} and pinned_at is not null and conversation_id <> ${conversationId}`;
  return row?.count ?? 0;
}
