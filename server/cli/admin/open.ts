import { openOperatorAccounts } from '#features/accounts/index.ts';
import { type ApplicationHook, openOperatorApplications } from '#features/applications/index.ts';
import { openHolds } from '#features/messages/index.ts';
import { createSuspensionHook } from '#features/oauth/index.ts';
import { openOperatorCommands } from '#features/operators/index.ts';
import { createWebhookApplicationHook } from '#features/webhooks/index.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { Signal } from '#platform/live/signal.ts';
import { createLog } from '#platform/log.ts';
import { platformOf } from '#platform/platform.ts';
import type { Outcome, Typed } from '../../../sdk/cli/kit.ts';
import type { Features } from '../../app.ts';
import { findDistribution, toShards } from '../../distribution/shards.ts';
import type { CommandDeps } from '../command.ts';
import { openProvenKeyring } from '../installation.ts';

/** The accounts, for the operator's commands. */
export async function openAccounts(deps: CommandDeps) {
  return openOperatorAccounts({ ...deps, db: await deps.openDatabase(), hooks: [] });
}

/** The services of the operators' console, for the command line. */
export async function openOperators(deps: CommandDeps) {
  const { openDatabase, clock, random, live } = deps;
  const db = await openDatabase();
  const shards = toShards(await findDistribution(db));
  const platform = {
    config: readConfig(deps.environment),
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
    accounts: openOperatorAccounts({ ...platform, random, hooks: [createSuspensionHook(platform)] }),
    holds: openHolds(platform),
    applications: {
      operatingWithin,
      announceRevocation: (appId) => live.publish(appId, { type: 'credential.revoked', data: {} }),
      async announceReopening() {},
    },
  });
}

/** The person whom a command names by e-mail address. */
interface Named {
  accountId: string;
  email: string;
}

/** Runs a command on the person whose address is its argument. */
export function onPerson(
  work: (
    operators: Awaited<ReturnType<typeof openOperators>>,
    named: Named,
    typed: Typed,
  ) => Promise<Outcome>,
) {
  return async (deps: CommandDeps, typed: Typed): Promise<Outcome> => {
    const [email = ''] = typed.args;
    const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
    return work(await openOperators(deps), { accountId, email }, typed);
  };
}

/** The same with all features. */
export function onPersonOfServer(
  work: (operators: Features['operators'], named: Named, typed: Typed) => Promise<Outcome>,
) {
  return (deps: CommandDeps, typed: Typed): Promise<Outcome> =>
    withFeatures(deps, async ({ accounts, operators }) => {
      const [email = ''] = typed.args;
      return work(operators, { accountId: await accounts.requireIdByEmail(email), email }, typed);
    });
}

/** All features over the server's own database and keys, for what reads or writes messages. */
export async function withFeatures<T>(
  deps: CommandDeps,
  work: (features: Features) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const config = readConfig(deps.environment);
  const log = createLog('silent');
  const db = await deps.openDatabase();
  const keyring = await openProvenKeyring(deps, config, db);
  const shards = toShards(await findDistribution(db));
  const platform = platformOf({ ...deps, config, log, db, keyring, shards });
  const { composeFeatures } = await import('../../app.ts');
  return work(opened.use(composeFeatures(platform)));
}
