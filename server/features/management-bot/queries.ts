import type { Db, Tx } from '#platform/database.ts';

export interface DialogueRow {
  bucket: number;
  conversationId: string;
  state: Buffer;
  stateKeyId: number;
  expiresAt: number;
}

type Conversation = Pick<DialogueRow, 'bucket' | 'conversationId'>;

export async function findDialogue(
  db: Db,
  { bucket, conversationId }: Conversation,
): Promise<DialogueRow | undefined> {
  const [row] = await db<DialogueRow[]>`
    select bucket, conversation_id, state, state_key_id, expires_at
    from dialogues where bucket = ${bucket} and conversation_id = ${conversationId}`;
  return row;
}

export async function upsertDialogue(tx: Tx, row: DialogueRow): Promise<void> {
  await tx`
    insert into dialogues (bucket, conversation_id, state, state_key_id, expires_at)
    values (${row.bucket}, ${row.conversationId}, ${row.state}, ${row.stateKeyId}, ${row.expiresAt})
    on conflict (bucket, conversation_id) do update
    set state = excluded.state, state_key_id = excluded.state_key_id, expires_at = excluded.expires_at`;
}

/** A write over all shards, for the worker that sweeps. */
export async function deleteDialoguesBefore(tx: Tx, now: number): Promise<void> {
  await tx`delete from dialogues where expires_at <= ${now}`;
}

/** A message that shows a secret. */
export interface ShownSecret {
  bucket: number;
  conversationId: string;
  msgId: string;
  personId: string;
}

export async function insertShownSecret(tx: Tx, row: ShownSecret & { removeAt: number }): Promise<void> {
  await tx`
    insert into shown_secrets (bucket, conversation_id, msg_id, person_id, remove_at)
    values (${row.bucket}, ${row.conversationId}, ${row.msgId}, ${row.personId}, ${row.removeAt})`;
}

export async function findShownSecrets(
  db: Db,
  { bucket, conversationId }: Conversation,
): Promise<(ShownSecret & { removeAt: number })[]> {
  return db<(ShownSecret & { removeAt: number })[]>`
    select bucket, conversation_id, msg_id, person_id, remove_at
    from shown_secrets where bucket = ${bucket} and conversation_id = ${conversationId}`;
}

/** Those to be removed now. A read over all shards, for the worker that sweeps. */
export async function findDueSecrets(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<ShownSecret[]> {
  return db<ShownSecret[]>`
    select bucket, conversation_id, msg_id, person_id
    from shown_secrets where remove_at <= ${now} order by remove_at limit ${limit}`;
}

/** False if it has already been removed. */
export async function deleteShownSecret(
  tx: Tx,
  { bucket, conversationId, msgId }: ShownSecret,
): Promise<boolean> {
  const rows = await tx`
    delete from shown_secrets
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId} returning msg_id`;
  return rows.length === 1;
}
