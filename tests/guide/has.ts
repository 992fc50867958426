import { spawnSync } from 'node:child_process';

/** Whether the machine has a program of that name. */
export function has(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
