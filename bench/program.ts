import { type ChildProcess, execFileSync, type ForkOptions, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** A package of its own, so that nobody installs what only a bench compares with. */
const YARDSTICKS = join(import.meta.dirname, 'yardsticks');

/** How much of a program's error output is shown. */
const SHOWN_LENGTH = 1000;

/** Runs a system program to its end, and returns its output. */
export async function print(program: string, args: string[], debianPackage: string): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit').catch(() => {
    throw new Error(`${program} is missing (Debian: apt-get install ${debianPackage})`);
  });
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${(said || out).slice(0, SHOWN_LENGTH)}`);
  return out;
}

/** A process that runs a file of the yardsticks' package, whose dependencies are installed when they are missing. */
export function forkYardstick(file: string, args: string[] = [], options: ForkOptions = {}): ChildProcess {
  if (!existsSync(join(YARDSTICKS, 'node_modules'))) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: YARDSTICKS, stdio: 'inherit' });
  }
  return fork(join(YARDSTICKS, file), args, options);
}
