import type { Accounts } from '#features/accounts/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createGroupAccountHook } from './account-hook.ts';
import { createGroupApplicationHook } from './application-hook.ts';
import { changeDetails } from './change-details.ts';
import { createGroup } from './create.ts';
import { deleteGroup } from './delete.ts';
import { addMembers } from './members/add-members.ts';
import { changeRole } from './members/change-role.ts';
import { listMembers, showGroup, showMembers } from './members/list-members.ts';
import {
  type MemberKey,
  selectGroupsOf,
  selectMemberBots,
  selectMembers,
  selectPeopleIn,
  selectReceiverBots,
} from './members/queries.ts';
import { removeMember } from './members/remove-member.ts';
import type { GroupHook } from './notices.ts';
import { type GroupKey, keepGroups, lockGroup, selectGroups } from './queries.ts';
import { findGroupForActor } from './service.ts';

export { viewGroup } from './announce.ts';

import { groupChatRoutes } from './chat.ts';

export type { GroupHook, GroupNotice } from './notices.ts';
export type { Member } from './queries.ts';
export {
  groupNotFound,
  refuseMentions,
  refuseToAdminister,
  refuseToEdit,
  refuseToPost,
  refuseToRead,
} from './rules.ts';
export { type GroupActor, groupKey } from './service.ts';

import { groupRoutes } from './v1.ts';

/** Groups and broadcast lists, and their members. */
export type Groups = ReturnType<typeof openGroups>['api'];

function openGroups(
  platform: Platform,
  features: {
    accounts: Accounts;
    bots: Bots;
    contacts: Contacts;
    media: Media;
    hooks: readonly GroupHook[];
  },
) {
  const deps = { ...platform, ...features };
  const { db } = platform;
  const api = {
    ...withDeps(deps, { create: createGroup, delete: deleteGroup, changeDetails }),
    ...withDeps(deps, { addMembers, removeMember, changeRole }),
    ...withDeps(deps, { listMembers, showMembers, show: showGroup }),
    /** The given groups without deleted ones; several at once, for batches and lists. */
    find: (keys: GroupKey[], at: Db = db) => selectGroups(at, keys),
    /** A group and the actor's membership; undefined if the group does not exist. */
    findForActor: (groupId: string, accountId: string, at: Db = db) =>
      findGroupForActor(at, groupId, accountId),
    /** Locks a group and its memberships until the transaction ends. */
    lock: lockGroup,
    /** The given groups, which stay as they are with their memberships until the transaction ends. */
    keep: keepGroups,
    /** The groups that an account is in. */
    findOf: (accountId: string) => selectGroupsOf(db, accountId),
    /**
     * The memberships of the given accounts in the given groups. With several groups, an account may also be found in a
     * group for which it was not asked.
     */
    findMembers: (keys: MemberKey[], at: Db = db) => selectMembers(at, keys),
    /** The bots of the given groups, which receive the messages there. */
    findBots: (keys: GroupKey[], at: Db = db) => selectMemberBots(at, keys),
    /** The same, with whether their applications receive events if that needs no further read. */
    findReceiverBots: (keys: GroupKey[], at: Db = db) => selectReceiverBots(at, keys, platform.shards),
    /** The people in the given groups, without duplicates. */
    findPeople: (keys: GroupKey[]) => selectPeopleIn(db, keys),
  };
  return {
    api,
    hooks: { account: createGroupAccountHook(deps), application: createGroupApplicationHook(deps) },
  };
}

export function createGroups(platform: Platform, features: Parameters<typeof openGroups>[1]) {
  const { api, hooks } = openGroups(platform, features);
  return { api, hooks, routes: [...groupRoutes(api), ...groupChatRoutes(api, features.media)] };
}
