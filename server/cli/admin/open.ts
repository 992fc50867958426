import { openOperatorAccounts } from '#features/accounts/index.ts';
import { type ApplicationHook, openOperatorApplications } from '#features/applications/index.ts';
import { openHolds } from '#features/messages/index.ts';
import { suspensionHook } from '#features/oauth/index.ts';
import { openOperatorCommands } from '#features/operators/index.ts';
import { createWebhookApplicationHook } from '#features/webhooks/index.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { Signal } from '#platform/live/signal.ts';
import { findDistribution, toShards } from '../../distribution/shards.ts';
import type { CommandDeps } from '../command.ts';

/** The accounts, for the operator's commands. */
export async function openAccounts(deps: CommandDeps) {
  return openOperatorAccounts({ ...deps, db: await deps.openDatabase() });
}

/** The services of the operators' console, for the command line. */
export async function openOperators(deps: CommandDeps) {
  const { openDatabase, clock, random, live } = deps;
  const db = await openDatabase();
  const shards = toShards(await findDistribution(db));
  const platform = {
    db,
    clock,
    live,
    shards,
    notices: new CurrentNotices(),
    newId: createIds(clock, random),
  };
  const hooks: ApplicationHook[] = [];
  const operatingWithin = (tx: Database) => openOperatorApplications({ ...platform, db: tx }, hooks);
  const applications = operatingWithin(db);
  // The server's workers find out by themselves, so nothing is to be announced.
  const { afterReopening: _, ...hook } = createWebhookApplicationHook({
    ...platform,
    applications,
    dueDeliveries: new Signal(),
  });
  hooks.push(hook);
  return openOperatorCommands({
    ...platform,
    accounts: await openAccounts(deps),
    accountHooks: [suspensionHook],
    holds: openHolds(platform),
    applications: {
      operatingWithin,
      announceRevocation: (appId) => live.publish(appId, { type: 'credential.revoked', data: {} }),
      async announceReopening() {},
    },
  });
}
