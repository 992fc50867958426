import type { Db, Tx } from '#platform/database.ts';
import type { OwnConversation } from '../access/own-conversation.ts';

/** A draft, sealed. */
export interface DraftRow extends OwnConversation {
  version: number;
  body: Buffer;
  bodyKeyId: number;
}

/** The newest first; all of them without a limit. */
export async function selectDrafts(db: Db, accountId: string, limit: number | null): Promise<DraftRow[]> {
  return db<DraftRow[]>`
    select account_id, conversation_id, version, body, body_key_id
    from drafts where account_id = ${accountId}
    order by version desc limit ${limit}`;
}

/** Returns its version; undefined if the conversation is not one of the person's. */
export async function upsertDraft(tx: Tx, row: DraftRow): Promise<number | undefined> {
  const { accountId, conversationId, version, body, bodyKeyId } = row;
  const [kept] = await tx<{ version: number }[]>`
    insert into drafts as kept (account_id, conversation_id, version, body, body_key_id)
    select account_id, conversation_id, ${version}::bigint, ${body}::bytea, ${bodyKeyId}::smallint
    from account_conversations where account_id = ${accountId} and conversation_id = ${conversationId}
    on conflict (account_id, conversation_id) do update
    set version = greatest(excluded.version, kept.version + 1), body = excluded.body,
      body_key_id = excluded.body_key_id
    returning kept.version`;
  return kept?.version;
}

/** Returns the next version; undefined if there was none. */
export async function deleteDraft(
  tx: Tx,
  { accountId, conversationId, version }: OwnConversation & { version: number },
): Promise<number | undefined> {
  const [deleted] = await tx<{ version: number }[]>`
    delete from drafts where account_id = ${accountId} and conversation_id = ${conversationId}
    returning greatest(${version}::bigint, version + 1) as version`;
  return deleted?.version;
}
