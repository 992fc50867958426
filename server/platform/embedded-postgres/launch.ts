import type { SpawnOptions } from 'node:child_process';

export interface LaunchPlan {
  prefix: string[];
  ids: { uid: number; gid: number } | undefined;
}

/** The environment of PostgreSQL: no PG* variables that affect it, and none of our secrets. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Arguments of `spawn`. Detached, so that the terminal's Ctrl-C reaches only Parley, which drains requests first. */
export function launchCommand(
  { prefix, ids }: LaunchPlan,
  program: string,
  options: string[],
): { command: string; args: string[]; spawnOptions: SpawnOptions } {
  const [command = program, ...args] = [...prefix, program, ...options];
  return { command, args, spawnOptions: { ...ids, cwd: '/', env: ENVIRONMENT, detached: true } };
}
