import type { ApplicationFollower } from '#features/applications/follower.ts';
import { findBotAccountId } from '#features/bots/service.ts';
import type { Platform } from '#platform/platform.ts';
import { announceDeparture, type Departure, leaveAllGroups } from './depart.ts';

/** A deleted application's bot is no member of any group any more (decisions: Identity). */
export function createGroupFollower(deps: Pick<Platform, 'live'>): ApplicationFollower {
  const departuresOf = new Map<string, Departure[]>();
  return {
    async deleted(tx, { appId, at }) {
      const botId = await findBotAccountId(tx, appId);
      if (botId !== undefined) departuresOf.set(appId, await leaveAllGroups(tx, botId, at));
    },
    async afterDeletion(appId) {
      for (const departure of departuresOf.get(appId) ?? []) announceDeparture(deps, departure);
      departuresOf.delete(appId);
    },
  };
}
