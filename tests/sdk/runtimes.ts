import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A JavaScript runtime. */
export interface Runtime {
  /** With its version, such as `Node 20.20.2`. */
  name: string;
  kind: 'Node' | 'Bun' | 'Deno' | 'workerd';
  command: string;
  /** The arguments before the name of a script. */
  args: string[];
}

const KINDS = [
  { kind: 'Node', program: 'node', args: [] },
  { kind: 'Bun', program: 'bun', args: [] },
  { kind: 'Deno', program: 'deno', args: ['run', '--quiet', '--allow-all', '--node-modules-dir=manual'] },
  { kind: 'workerd', program: 'workerd', args: [] },
] as const;

/** The folders of PATH without those of installed packages: npm puts our own Node in front. */
export const SYSTEM_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);

/** Every runtime of the machine, including ours, each Node by its major version; and the missing kinds. */
export function findRuntimes(): { runtimes: Runtime[]; missing: string[] } {
  const runtimes = new Map<string, Runtime>();
  for (const { kind, program, args } of KINDS) {
    const files = SYSTEM_PATH.split(delimiter).map((folder) => join(folder, program));
    for (const command of kind === 'Node' ? [process.execPath, ...files] : files) {
      if (!existsSync(command)) continue;
      const said = execFileSync(command, ['--version'], { encoding: 'utf8' });
      const [version = '', major] = /(\d+)[\d.-]*\d/.exec(said) ?? [];
      const runtime = { name: `${kind} ${version}`, kind, command, args: [...args] };
      const key = kind === 'Node' ? `${kind} ${major}` : kind;
      if (!runtimes.has(key)) runtimes.set(key, runtime);
    }
  }
  const wanted = ['Node 20', 'Node 22', 'Node 24', 'Bun', 'Deno', 'workerd'];
  return { runtimes: [...runtimes.values()], missing: wanted.filter((key) => !runtimes.has(key)) };
}
