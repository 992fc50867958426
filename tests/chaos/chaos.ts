import { asked, isPlanOnly, seed } from './options.ts';
import { PLANNED, planOf } from './plans.ts';

/**
 * `npm run chaos` runs all scenarios, `npm run chaos -- webhooks` one, `npm run chaos -- overload --seconds=10` a short one.
 * Each throws if anything was lost. `--seed=N` repeats the plan of an earlier run, and `--plan` prints it.
 */
const SCENARIOS: Record<string, () => Promise<unknown>> = {
  'power-cut': () => import('./power-cut.ts'),
  webhooks: () => import('./webhooks.ts'),
  history: () => import('./history/history.ts'),
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
  cuts: async () => {
    await import('./cuts/files.ts');
    await import('./cuts/postgres.ts');
  },
  'postgres-cuts': () => import('./cuts/postgres.ts'),
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
  console.error(`skipped, since CITUS_URL names no Citus cluster: ${Object.keys(ON_A_CLUSTER).join(', ')}`);
}

const chosen = asked.length > 0 ? asked : Object.keys(SCENARIOS);
const unknown = chosen.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0)
  throw new Error(`no such scenario: ${unknown.join(', ')}; there are ${Object.keys(SCENARIOS).join(', ')}`);
if (isPlanOnly) {
  const planned = PLANNED.filter((name) => chosen.includes(name));
  console.log(JSON.stringify(Object.fromEntries(planned.map((name) => [name, planOf(name, seed)])), null, 1));
} else {
  let running = '';
  // Also after an error that nothing awaits.
  process.on('exit', (code) => {
    if (code !== 0) console.error(`\nTo repeat this: npm run chaos -- ${running} --seed=${seed}`);
  });
  console.log(`seed ${seed}`);
  for (const name of chosen) {
    running = name;
    console.log(`\n${name}`);
    await SCENARIOS[name]?.();
  }
}
