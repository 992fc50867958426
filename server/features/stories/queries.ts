import type { StoryType } from '#contract/stories.ts';
import type { SealedBody } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { Shards } from '#platform/partitioning/shards.ts';

/** The one story of a person. It may have ended and be waiting for its removal. */
export interface StoryRow {
  accountId: string;
  storyId: string;
  beganAt: number;
}

export interface ElementRow extends SealedBody {
  accountId: string;
  elementId: string;
  type: StoryType;
  createdAt: number;
}

/**
 * Begins a story, or finds the existing one; either is locked until the transaction ends. Of concurrent calls
 * the primary key lets one begin it.
 *
 * @returns the person's current storyId
 */
export async function beginOrLockStory(tx: Tx, { accountId, storyId, beganAt }: StoryRow): Promise<string> {
  const [row] = await tx<{ storyId: string }[]>`
    insert into stories (account_id, story_id, began_at) values (${accountId}, ${storyId}, ${beganAt})
    on conflict (account_id) do update set began_at = stories.began_at
    returning story_id`;
  return (row as { storyId: string }).storyId;
}

/** The stories of the given people, ended ones included. */
export async function selectStories(db: Db, accountIds: string[]): Promise<StoryRow[]> {
  if (accountIds.length === 0) return [];
  return db<StoryRow[]>`
    select account_id, story_id, began_at from stories where account_id = any(${accountIds})`;
}

/** The people in these groups, and since when; where memberships and stories are in one database, only those who have a story. */
export async function selectPeopleSince(
  db: Db,
  groups: { bucket: number; groupId: string }[],
  { isDistributed }: Pick<Shards, 'isDistributed'>,
): Promise<{ accountId: string; joinedAt: number }[]> {
  if (groups.length === 0) return [];
  return db`
    select account_id, min(joined_at) as joined_at
    from members ${isDistributed ? db`` : db`join stories using (account_id)`}
    where ${isOneOf(db, groups, ['groupId'])} and bot_app_id is null
    group by account_id`;
}

/** The story of a person, locked until the transaction ends: nothing is added to it meanwhile. */
export async function lockStory(tx: Tx, accountId: string): Promise<StoryRow | undefined> {
  const [row] = await tx<StoryRow[]>`
    select account_id, story_id, began_at from stories where account_id = ${accountId} for update`;
  return row;
}

/** Deletes the story of a person, its elements and its name. */
export async function deleteStory(
  tx: Tx,
  { accountId, storyId }: Pick<StoryRow, 'accountId' | 'storyId'>,
): Promise<void> {
  await tx`delete from stories where account_id = ${accountId}`;
  await tx`delete from unique_names where value = ${storyId} and kind = 'story'`;
}

/** A read over all shards, for the worker that sweeps. */
export async function selectAccountsWithEnded(
  db: Db,
  { endedIfBegunBy, limit }: { endedIfBegunBy: number; limit: number },
): Promise<string[]> {
  const rows = await db<{ accountId: string }[]>`
    select account_id from stories where began_at <= ${endedIfBegunBy} order by began_at limit ${limit}`;
  return rows.map(({ accountId }) => accountId);
}

/** Does nothing if the element already exists (a repeated Idempotency-Key). */
export async function insertElement(tx: Tx, row: ElementRow): Promise<void> {
  await tx`
    insert into story_elements (account_id, element_id, type, body, body_key_id, created_at)
    values (${row.accountId}, ${row.elementId}, ${row.type}, ${row.body}, ${row.bodyKeyId}, ${row.createdAt})
    on conflict (account_id, element_id) do nothing`;
}

export async function selectElements(db: Db, accountIds: string[]): Promise<ElementRow[]> {
  if (accountIds.length === 0) return [];
  return db<ElementRow[]>`
    select account_id, element_id, type, body, body_key_id, created_at
    from story_elements where account_id = any(${accountIds})
    order by account_id, element_id`;
}

/** The element up to which a person has seen the stories of each of the others. */
export async function selectSeen(
  db: Db,
  accountId: string,
  ownerIds: string[],
): Promise<{ ownerId: string; elementId: string }[]> {
  if (ownerIds.length === 0) return [];
  return db`
    select owner_id, element_id from story_views where account_id = ${accountId} and owner_id = any(${ownerIds})`;
}

/**
 * Who has seen a story from an element on, the furthest first: only people who share read receipts. A read over all
 * shards.
 */
export async function selectViewers(
  db: Db,
  { ownerId, since, limit }: { ownerId: string; since: string; limit: number },
): Promise<{ accountId: string; elementId: string }[]> {
  return db`
    select seen.account_id, seen.element_id
    from story_views seen join accounts on accounts.account_id = seen.account_id
    where seen.owner_id = ${ownerId} and seen.element_id >= ${since}
      and accounts.read_receipts and accounts.deleted_at is null
    order by seen.element_id desc, seen.account_id limit ${limit}`;
}

/** The marker never moves back. Returns its position. */
export async function updateSeen(
  tx: Tx,
  { accountId, ownerId, elementId }: { accountId: string; ownerId: string; elementId: string },
): Promise<string> {
  const [row] = await tx<{ elementId: string }[]>`
    insert into story_views as seen (account_id, owner_id, element_id)
    values (${accountId}, ${ownerId}, ${elementId})
    on conflict (account_id, owner_id) do update
    set element_id = greatest(seen.element_id, excluded.element_id)
    returning seen.element_id`;
  return (row as { elementId: string }).elementId;
}

/** The owner of a story, by the storyId alone. */
export async function selectStoryOwner(db: Db, storyId: string): Promise<string | undefined> {
  const [row] = await db<{ ownerId: string }[]>`
    select owner_id from unique_names where value = ${storyId} and kind = 'story'`;
  return row?.ownerId;
}

export async function insertStoryName(
  tx: Tx,
  { storyId, accountId }: Pick<StoryRow, 'accountId' | 'storyId'>,
): Promise<void> {
  await tx`
    insert into unique_names (value, kind, owner_id) values (${storyId}, 'story', ${accountId})`;
}

/** Deletes who has seen somebody's story. A deletion over all shards. */
export async function deleteViewers(tx: Tx, ownerId: string): Promise<void> {
  await tx`delete from story_views where owner_id = ${ownerId}`;
}

/** Deletes the markers of seen stories of somebody. */
export async function deleteViewsOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from story_views where account_id = ${accountId}`;
}
