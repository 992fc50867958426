import type { Accounts } from '#features/accounts/index.ts';
import type { ApplicationHook } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Platform } from '#platform/platform.ts';
import { announceDeparture, type Departure, leaveAllGroups } from './members/depart.ts';
import type { GroupHook } from './notices.ts';

/** The bot of a deleted application leaves every group (decisions: Identity). */
export function createGroupApplicationHook(
  deps: Pick<Platform, 'live'> & { accounts: Accounts; bots: Bots; hooks: readonly GroupHook[] },
): ApplicationHook {
  const departuresOf = new Map<string, Departure[]>();
  return {
    async deleted(tx, { appId, at }) {
      const botId = await deps.bots.findAccountId(appId, tx);
      if (botId !== undefined)
        departuresOf.set(appId, await leaveAllGroups(tx, deps, { accountId: botId, at }));
    },
    async afterDeletion(appId) {
      for (const departure of departuresOf.get(appId) ?? []) announceDeparture(deps, departure);
      departuresOf.delete(appId);
    },
  };
}
