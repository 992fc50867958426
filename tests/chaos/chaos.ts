import { asked } from './options.ts';

/**
 * `npm run chaos` runs all scenarios, `npm run chaos -- webhooks` one, `npm run chaos -- overload --seconds=10` a short one.
 * Each throws if anything was lost.
 */
const SCENARIOS: Record<string, () => Promise<unknown>> = {
  'power-cut': () => import('./power-cut.ts'),
  webhooks: () => import('./webhooks.ts'),
  'killed-process': () => import('./killed-process.ts'),
  'cancelled-statements': () => import('./cancelled-statements.ts'),
  'cut-off-page': () => import('./cut-off-page.ts'),
  'open-page': () => import('./open-page.ts'),
  backups: () => import('./backups.ts'),
  'black-hole': () => import('./black-hole.ts'),
  'late-commit': () => import('./late-commit.ts'),
  hostile: async () => {
    await import('./hostile-sign-ins.ts');
    await import('./hostile-receivers.ts');
  },
  'hostile-sign-ins': () => import('./hostile-sign-ins.ts'),
  overload: () => import('./overload.ts'),
};

/** Scenarios that need a Citus cluster on this machine. CITUS_URL is the coordinator's loopback URL, for a superuser. */
const ON_A_CLUSTER: Record<string, () => Promise<unknown>> = {
  'live-conversion': () => import('./live-conversion.ts'),
  nodes: () => import('./nodes.ts'),
};
if (process.env['CITUS_URL']) Object.assign(SCENARIOS, ON_A_CLUSTER);
else {
  const needing = asked.filter((name) => name in ON_A_CLUSTER);
  if (needing.length > 0) throw new Error(`${needing.join(', ')}: CITUS_URL must name a Citus cluster`);
  console.log(`skipped, since CITUS_URL names no Citus cluster: ${Object.keys(ON_A_CLUSTER).join(', ')}`);
}

for (const name of asked.length > 0 ? asked : Object.keys(SCENARIOS)) {
  const run = SCENARIOS[name];
  if (!run) throw new Error(`no such scenario: ${name}; there are ${Object.keys(SCENARIOS).join(', ')}`);
  console.log(`\n${name}`);
  await run();
}
