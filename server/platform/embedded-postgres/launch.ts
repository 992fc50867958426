import type { SpawnOptions } from 'node:child_process';

/** How a program of PostgreSQL is started: with which user, and through which other program. */
export interface LaunchPlan {
  prefix: string[];
  ids: { uid: number; gid: number } | undefined;
}

/** All that PostgreSQL sees of our environment: no PG* variable that bends it, none of our secrets. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Arguments of `spawn`. Detached: the terminal's Ctrl-C is ours to hear first, so that requests drain. */
export function launchCommand(
  { prefix, ids }: LaunchPlan,
  program: string,
  options: string[],
): { command: string; args: string[]; spawnOptions: SpawnOptions } {
  const [command = program, ...args] = [...prefix, program, ...options];
  return { command, args, spawnOptions: { ...ids, cwd: '/', env: ENVIRONMENT, detached: true } };
}
