import { spawnSync } from 'node:child_process';

/** Whether a program of that name is installed. */
export function has(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
