import { say } from '#contract/reasons.ts';
import { tryProviders } from '#features/sign-in-providers/index.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Tries each provider through which people sign in. */
export async function checkProviders(
  deps: Pick<Platform, 'clock' | 'keyring' | 'guard' | 'config'> & { db: Db },
): Promise<Finding[]> {
  const tried = await tryProviders(deps);
  return tried.flatMap(({ name, faults }) =>
    faults.length === 0
      ? ok('sign-in provider', say('health.provider', { name }))
      : faults.map(({ what, remedy }) => fault('sign-in provider', what, remedy)),
  );
}
