import { withoutDeleted } from '#features/accounts/index.ts';
import { importContacts } from '#features/contacts/index.ts';
import { importGroup, importOutsiders, isGroupHere } from '#features/groups/index.ts';
import {
  importHidden,
  importMentions,
  importOwnSettings,
  importRetention,
  moveMarkers,
  type OwnSettingsRow,
} from '#features/messages/index.ts';
import { bucketOf } from '#platform/ids.ts';
import type { BringDeps, Read } from './deps.ts';
import { checkAddresses, keepFiles, recordUses } from './files.ts';
import type { Lines } from './format.ts';

/** Stores groups that are new, with their members, who have them in their lists from then on. */
export async function bringGroups(deps: BringDeps, groups: readonly Read<'group'>[]): Promise<void> {
  const { db, config, ids, report, isDry } = deps;
  const count = (isNew: boolean, memberCount: number) => {
    report.count(isNew ? 'groups' : 'groups that are here');
    if (isNew && memberCount > config.maxGroupMembers) report.count('groups above MAX_GROUP_MEMBERS');
  };
  for (const { line, where } of groups) {
    const {
      kind: _,
      files,
      members: given,
      removed = [],
      joinRequests = [],
      former = [],
      photoUrl = null,
      photoSetBy = null,
      ...details
    } = ids.translate(line);
    const { groupId } = details;
    const bucket = bucketOf(groupId);
    checkAddresses(where, [photoUrl]);
    await keepFiles(deps, files, where);
    if (isDry) {
      count(!(await isGroupHere(db, { bucket, groupId })), given.length);
      continue;
    }
    const isNew = await db.begin(async (tx) => {
      const members = await withoutDeleted(tx, given);
      const outsiders = {
        removed: await withoutDeleted(tx, removed),
        joinRequests: await withoutDeleted(tx, joinRequests),
        former: await withoutDeleted(tx, former),
      };
      const group = { ...details, bucket, photoUrl, photoSetBy, memberCount: members.length };
      const rows = members.map(({ accountId, isAdmin, botAppId = null, joinedAt }) => ({
        ...{ accountId, isAdmin, botAppId, joinedAt },
      }));
      const listings = members.flatMap(({ accountId, listing }) =>
        listing
          ? toRow({ ...listing, accountId, conversationId: groupId, bucket, kind: 'group', peerId: null })
          : [],
      );
      const mentions = members.flatMap(({ accountId, unreadMentions = [] }) =>
        unreadMentions.map((msgId) => ({ accountId, conversationId: groupId, msgId })),
      );
      if (!(await importGroup(tx, group, rows))) {
        await moveMarkers(tx, listings);
        return false;
      }
      await importOutsiders(tx, group, outsiders);
      await importOwnSettings(tx, listings);
      await importMentions(tx, mentions);
      await recordUses(tx, deps, [photoUrl], groupId);
      return true;
    });
    count(isNew, given.length);
  }
}

type Settings = NonNullable<Lines['group']['members'][number]['listing']>;
type ListingKey = Pick<OwnSettingsRow, 'accountId' | 'conversationId' | 'bucket' | 'kind' | 'peerId'>;

function toRow(listing: Settings & ListingKey): OwnSettingsRow {
  return {
    ...listing,
    readMsgId: listing.readMsgId ?? null,
    hiddenMsgId: listing.hiddenMsgId ?? null,
    deliveredMsgId: listing.deliveredMsgId ?? null,
    archivedMsgId: listing.archivedMsgId ?? null,
    mutedUntil: listing.mutedUntil ?? null,
    pinnedAt: listing.pinnedAt ?? null,
  };
}

/** Stores who wrote to whom, and who blocks whom. Without that of a deleted account, no bot writes to it or reads what it wrote. */
export async function bringContacts(
  { db, ids, isDry }: BringDeps,
  contacts: readonly Read<'contact'>[],
): Promise<void> {
  const rows = contacts.map(({ line }) => {
    const { conversationId, accountId, peerId, wroteAt = null, blockedAt = null } = ids.translate(line);
    return { bucket: bucketOf(conversationId), conversationId, accountId, peerId, wroteAt, blockedAt };
  });
  if (!isDry) await db.begin(async (tx) => importContacts(tx, await withoutDeleted(tx, rows)));
}

/** Puts private conversations into the lists of people. */
export async function bringListings(
  { db, ids, isDry }: BringDeps,
  listings: readonly Read<'listing'>[],
): Promise<void> {
  const rows = listings.map(({ line }) => {
    const { kind: _, ...listing } = ids.translate(line);
    return toRow({ ...listing, bucket: bucketOf(listing.conversationId), kind: 'private' });
  });
  if (!isDry) await db.begin(async (tx) => importOwnSettings(tx, await withoutDeleted(tx, rows)));
}

export async function bringRetention(
  { db, ids, isDry }: BringDeps,
  retention: readonly Read<'retention'>[],
): Promise<void> {
  const rows = retention.flatMap(({ line }) => {
    const { conversationId, lifetimeDays } = ids.translate(line);
    const isClosed = ids.closed.has(conversationId);
    return isClosed ? [] : { bucket: bucketOf(conversationId), conversationId, lifetimeDays };
  });
  if (!isDry) await db.begin((tx) => importRetention(tx, rows));
}

export async function bringHidden(
  { db, ids, isDry }: BringDeps,
  hidden: readonly Read<'hidden'>[],
): Promise<void> {
  const rows = hidden.map(({ line }) => ids.translate(line));
  if (!isDry) await db.begin(async (tx) => importHidden(tx, await withoutDeleted(tx, rows)));
}
