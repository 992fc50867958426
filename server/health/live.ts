import type { ServerHealth } from '#contract/operate/health.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';
import { checkBackup, checkDatabase } from './database.ts';
import { checkDisk } from './disk.ts';
import type { Finding } from './finding.ts';
import { checkHosts } from './hosts.ts';
import { checkKeyFile, checkKeys } from './keys.ts';
import { checkServices } from './network.ts';
import { findProcesses } from './processes.ts';
import { checkProviders } from './providers.ts';
import { checkSettings } from './settings.ts';

/** However often it is requested, the mail server, Redis and the other services are tried only once per interval. */
const KEPT_MS = 10_000;
const MIN_FREE_BYTES = 2 ** 30;
const SLOWEST = 10;

type Deps = Platform & {
  webhooks: Pick<Webhooks, 'findSlowestEndpoints' | 'countQueue'>;
  applications: Pick<Applications, 'operator'>;
};

/** The server's current health: the quick checks of `doctor`, and what only a running server knows. */
export function createLiveHealth(deps: Deps): () => Promise<ServerHealth> {
  let kept: { at: number; health: Promise<ServerHealth> } | undefined;
  return () => {
    const at = deps.clock.now();
    if (!kept || at - kept.at >= KEPT_MS) {
      const made = { at, health: examine(deps) };
      kept = made;
      made.health.catch(() => {
        if (kept === made) kept = undefined;
      });
    }
    return kept.health;
  };
}

async function examine(deps: Deps): Promise<ServerHealth> {
  const { webhooks, clock, config } = deps;
  const [findings, queue, endpoints, processes] = await Promise.all([
    check(deps),
    webhooks.countQueue(),
    webhooks.findSlowestEndpoints(SLOWEST),
    findProcesses(deps),
  ]);
  const applications = await deps.applications.operator.findAll(endpoints.map(({ appId }) => appId));
  const nameOf = new Map(applications.map(({ appId, name }) => [appId, name]));
  const errors = processes.flatMap((one) => one.errors.map((error) => ({ ...error, host: one.host })));
  return {
    at: clock.now(),
    findings: findings.map(view),
    queue: {
      ...queue,
      slowest: endpoints.map((endpoint) => ({ ...endpoint, name: nameOf.get(endpoint.appId) ?? '' })),
    },
    processes: processes.map(({ errors: _, processId: __, ...shown }) => shown),
    errors: errors.sort((one, other) => other.at - one.at),
    settings: config.shown.map((setting) => ({ ...setting })),
  };
}

function view({ check, state, what, remedy, said }: Finding): ServerHealth['findings'][number] {
  return {
    check,
    state,
    what: said.what ?? { message: what },
    ...(remedy !== undefined && { remedy: said.remedy ?? { message: remedy } }),
  };
}

async function check(platform: Platform): Promise<Finding[]> {
  const { config, db } = platform;
  const deps = { ...platform, minFreeBytes: MIN_FREE_BYTES };
  const findings = await Promise.all([
    checkSettings(deps),
    checkDisk(deps),
    checkKeyFile(deps),
    checkHosts(config.databaseUrl),
    checkDatabase(deps, db),
    checkBackup(deps, db),
    checkKeys(deps, db),
    checkServices(deps),
    checkProviders(platform),
  ]);
  return findings.flat();
}
