import type { AccountFollower } from '#features/accounts/follower.ts';
import type { Platform } from '#platform/platform.ts';
import { viewGroup } from './announce.ts';
import { announceDeparture, type Departure, leaveAllGroups } from './depart.ts';
import { selectGroupsOf } from './member-queries.ts';
import { findGroupForActor } from './service.ts';

/** Who deletes the account leaves every group. */
export function createGroupAccountFollower(deps: Pick<Platform, 'db' | 'live'>): AccountFollower {
  const { db } = deps;
  const departuresOf = new Map<string, Departure[]>();
  return {
    sections: {
      async *groups(accountId) {
        for (const { groupId } of await selectGroupsOf(db, accountId)) {
          const place = await findGroupForActor(db, groupId, accountId);
          if (!place?.member) continue;
          const { isAdmin, joinedAt } = place.member;
          yield { ...viewGroup(place.group), isAdmin, joinedAt };
        }
      },
    },
    async deleted(tx, { accountId, at }) {
      departuresOf.set(accountId, await leaveAllGroups(tx, accountId, at));
    },
    async afterDeletion(accountId) {
      for (const departure of departuresOf.get(accountId) ?? []) announceDeparture(deps, departure);
      departuresOf.delete(accountId);
    },
  };
}
