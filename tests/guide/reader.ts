import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { findFreePort } from '#testing/free-port.ts';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';
import { type ServerProcess, startParley } from '../processes.ts';
import { SYSTEM_PATH } from '../sdk/runtimes.ts';
import type { NamedFile } from './pages.ts';

const LINKED = [
  'package.json',
  'bootstrap.mjs',
  'contract',
  'server',
  'web',
  'node_modules',
  'docs',
  'examples',
  'tests',
];

/** Ends background processes of a failed command; the test would wait for them. */
const END_WITH_JOBS = "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n";

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** A reader of the guide: in the source folder, with a server of their own. */
export interface Reader extends AsyncDisposable {
  directory: string;
  server: ServerProcess;
  /** Runs a page's commands unchanged, except for the ports; throws with all output if one fails. */
  runs(commands: string): Promise<string>;
  saves(file: NamedFile, folder?: string): Promise<void>;
}

export async function createReader(): Promise<Reader> {
  await using made = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'parley-guide-'));
  made.defer(() => rm(directory, { recursive: true, force: true }));
  for (const part of LINKED) await symlink(resolve(part), join(directory, part));
  // Build output of the commands must not end up in the source.
  await cp('sdk', join(directory, 'sdk'), { recursive: true });
  await cp('tsconfig.json', join(directory, 'tsconfig.json'));
  const server = made.use(await startParley({ DATA_DIR: join(directory, 'data') }));
  const port = await findFreePort();
  const kept = made.move();
  return {
    directory,
    server,
    runs: (commands) =>
      bash(
        END_WITH_JOBS +
          commands.replaceAll('http://localhost:3000', server.url).replaceAll(/\b4000\b/g, String(port)),
        directory,
      ),
    saves: ({ name, text }, folder = '.') => writeFile(join(directory, folder, name), text),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function bash(commands: string, cwd: string): Promise<string> {
  const env = {
    // The Node and npm of the machine, not those that run the test.
    PATH: [join(cwd, '.npm-global/bin'), SYSTEM_PATH].join(delimiter),
    HOME: cwd,
    npm_config_prefix: join(cwd, '.npm-global'),
    // The default of npm 12.
    npm_config_allow_remote: 'none',
    // Nothing that the guide installs comes from a registry; npm asks it all the same, and repeats that for minutes.
    npm_config_registry: NOWHERE,
    npm_config_fetch_retries: '0',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  };
  return new Promise((done, fail) => {
    execFile(
      'bash',
      ['-euo', 'pipefail', '-c', commands],
      { cwd, env, timeout: LONGEST_WAIT_MS },
      (error, out, err) => {
        if (error) fail(new Error(`${error.message}\n${out}${err}`));
        else done(`${out}${err}`);
      },
    );
  });
}
