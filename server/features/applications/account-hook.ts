import type { AccountHook } from '#features/accounts/index.ts';
import { ApiError, alreadyExists } from '#platform/errors.ts';
import type { ApplicationDeps } from './deps.ts';
import type { ApplicationHook } from './hook.ts';
import { deleteApplication } from './life-cycle.ts';
import { findOwnedIds } from './queries.ts';
import { listApplications, listTeamApplications, showApplication } from './service.ts';
import { findTeammates } from './team/queries.ts';
import { leaveTeams } from './team/team.ts';

/** Deletes a person's applications with the account, each in its own transaction. */
export function createApplicationAccountHook(
  deps: ApplicationDeps,
  hooks: readonly ApplicationHook[],
): AccountHook {
  const { db } = deps;
  return {
    sections: {
      async *applications(ownerId) {
        for (const { appId } of await listApplications(db, ownerId)) {
          yield showApplication(deps, { ownerId, appId });
        }
      },
      async *teams(accountId) {
        for (const { appId, name } of await listTeamApplications(db, accountId)) {
          const own = (await findTeammates(db, appId)).find((teammate) => teammate.accountId === accountId);
          if (own) yield { appId, name, role: own.role, joinedAt: own.joinedAt };
        }
      },
    },
    async beforeDeletion(ownerId) {
      for (const appId of await findOwnedIds(db, ownerId)) {
        const from = ['active', 'disabled', 'suspended'] as const;
        await deleteApplication(deps, { ownerId, appId }, hooks, from).catch(unlessGone);
      }
    },
    async deleted(tx, { accountId }) {
      await leaveTeams(tx, accountId);
      const left = await findOwnedIds(tx, accountId);
      if (left.length > 0) throw alreadyExists('application.created-meanwhile');
    },
  };
}

/** A concurrent deletion by the same person was faster. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
