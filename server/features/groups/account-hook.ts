import type { AccountHook, Accounts } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';
import { viewGroup } from './announce.ts';
import { announceDeparture, type Departure, leaveAllGroups } from './members/depart.ts';
import { selectGroupsOf } from './members/queries.ts';
import type { GroupHook } from './notices.ts';
import { findGroupForActor } from './service.ts';

/** A deleted account leaves every group. */
export function createGroupAccountHook(
  deps: Pick<Platform, 'db' | 'live'> & { accounts: Accounts; hooks: readonly GroupHook[] },
): AccountHook {
  const { db } = deps;
  const departuresOf = new Map<string, Departure[]>();
  return {
    sections: {
      async *groups(accountId) {
        for (const { groupId } of await selectGroupsOf(db, accountId)) {
          const found = await findGroupForActor(db, groupId, accountId);
          if (!found?.member) continue;
          const { isAdmin, joinedAt } = found.member;
          yield { ...viewGroup(found.group), isAdmin, joinedAt };
        }
      },
    },
    async deleted(tx, { accountId, at }) {
      departuresOf.set(accountId, await leaveAllGroups(tx, deps, { accountId, at }));
    },
    async afterDeletion(accountId) {
      for (const departure of departuresOf.get(accountId) ?? []) announceDeparture(deps, departure);
      departuresOf.delete(accountId);
    },
  };
}
