import { inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { Shards } from '#platform/partitioning/shards.ts';

/** One side of a private conversation. */
export interface ContactKey {
  bucket: number;
  conversationId: string;
  accountId: string;
}

export interface ContactRow {
  conversationId: string;
  accountId: string;
  wroteAt: number | null;
  blockedAt: number | null;
}

/** The given sides; several at once, for batches of sends. */
export async function findContacts(
  db: Db,
  sides: ContactKey[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<ContactRow[]> {
  if (sides.length === 0) return [];
  return db<ContactRow[]>`
    select conversation_id, account_id, wrote_at, blocked_at
    from contacts
    where ${isOneOf(db, sides, ['conversationId', 'accountId'], { shards })}`;
}

/** Both sides of a private conversation in which either has written or blocked. */
export async function selectParticipants(
  db: Db,
  { bucket, conversationId }: Omit<ContactKey, 'accountId'>,
): Promise<string[]> {
  const rows = await db<{ accountId: string; peerId: string }[]>`
    select account_id, peer_id from contacts where bucket = ${bucket} and conversation_id = ${conversationId}`;
  return [...new Set(rows.flatMap(({ accountId, peerId }) => [accountId, peerId]))];
}

/**
 * Keeps both sides of a private conversation as they are until the transaction ends; without `isShared`, for this caller
 * alone.
 */
export async function lockContacts(
  tx: Tx,
  { bucket, conversationId }: Omit<ContactKey, 'accountId'>,
  { isShared }: { isShared: boolean },
): Promise<void> {
  await tx`
    select from contacts where bucket = ${bucket} and conversation_id = ${conversationId}
    order by account_id for ${isShared ? tx`share` : tx`no key update`}`;
}

/** Keeps both sides of several private conversations as they are until the transaction ends. */
export async function keepContacts(tx: Tx, sides: readonly ContactKey[]): Promise<void> {
  // In the order of the key, so that two transactions do not deadlock; sent without waiting for an answer.
  await Promise.all(sides.toSorted(compare).map((side) => lockContacts(tx, side, { isShared: true })));
}

/** Records that these sides wrote to the others; only the first time counts. */
export async function insertWrote(
  tx: Tx,
  sides: readonly (ContactKey & { peerId: string; wroteAt: number })[],
): Promise<void> {
  if (sides.length === 0) return;
  // In the order of the key, so that two transactions do not deadlock.
  const rows = sides.toSorted(compare);
  await tx`
    insert into contacts ${tx(rows, 'bucket', 'conversationId', 'accountId', 'peerId', 'wroteAt')}
    on conflict (bucket, conversation_id, account_id)
    do update set wrote_at = excluded.wrote_at where contacts.wrote_at is null`;
}

/** Sides as they are on another server; one that is here keeps when it wrote first, and whether it blocks. */
export async function importContacts(
  tx: Tx,
  sides: readonly (ContactRow & { bucket: number; peerId: string })[],
): Promise<void> {
  const rows = sides.toSorted(compare);
  for (const part of inChunks(rows, 1024))
    await tx`
      insert into contacts ${tx(part, 'bucket', 'conversationId', 'accountId', 'peerId', 'wroteAt', 'blockedAt')}
      on conflict (bucket, conversation_id, account_id)
      do update set wrote_at = excluded.wrote_at where contacts.wrote_at is null`;
}

function compare(one: ContactKey, other: ContactKey): number {
  const [a, b] = [one.conversationId + one.accountId, other.conversationId + other.accountId];
  return one.bucket - other.bucket || (a < b ? -1 : 1);
}

/** Blocks (a time) or unblocks (null) the peer; false if nothing changed. */
export async function setBlocked(
  tx: Tx,
  { bucket, conversationId, accountId, peerId, at }: ContactKey & { peerId: string; at: number | null },
): Promise<boolean> {
  if (at !== null) {
    const blocked = await tx`
      insert into contacts (bucket, conversation_id, account_id, peer_id, blocked_at)
      values (${bucket}, ${conversationId}, ${accountId}, ${peerId}, ${at})
      on conflict (bucket, conversation_id, account_id) do update set blocked_at = excluded.blocked_at
      where contacts.blocked_at is null
      returning account_id`;
    return blocked.length > 0;
  }
  const unblocked = await tx<{ wroteAt: number | null }[]>`
    update contacts set blocked_at = null
    where bucket = ${bucket} and conversation_id = ${conversationId} and account_id = ${accountId}
      and blocked_at is not null
    returning wrote_at`;
  // Of somebody to whom the account never wrote, nothing is left.
  if (unblocked.some(({ wroteAt }) => wroteAt === null))
    await deleteContacts(tx, [{ bucket, conversationId, accountId }]);
  return unblocked.length > 0;
}

/** The accounts that a person blocks. A read over all shards, for the person's own list. */
export async function selectBlocked(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ peerId: string }[]>`
    select peer_id from contacts where account_id = ${accountId} and blocked_at is not null order by blocked_at desc`;
  return rows.map(({ peerId }) => peerId);
}

export async function deleteContacts(tx: Tx, sides: ContactKey[]): Promise<void> {
  if (sides.length === 0) return;
  await tx`delete from contacts where ${isOneOf(tx, sides, ['conversationId', 'accountId'])}`;
}
