import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The package as it is published, in a directory of the test's own. */
export interface BuiltSdk extends Disposable {
  directory: string;
  /** What `import` takes. */
  url: string;
  urlForNode: string;
}

/** A directory in which `import 'parley-sdk'` finds the package, for scripts that are put there. */
export function buildSdk(): BuiltSdk {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sdk-'));
  const target = join(directory, 'parley-sdk');
  execFileSync('node_modules/.bin/tsc', ['-p', 'sdk', '--outDir', join(target, 'dist')], {
    stdio: 'inherit',
  });
  for (const file of ['package.json', 'LICENSE', 'README.md']) cpSync(join('sdk', file), join(target, file));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(target, join(directory, 'node_modules', 'parley-sdk'));
  return {
    directory,
    url: pathToFileURL(join(target, 'dist/index.js')).href,
    urlForNode: pathToFileURL(join(target, 'dist/node/index.js')).href,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The oldest Node that the package supports, if this machine has it. */
export function findNode20(): string | undefined {
  const given = process.env['NODE_20'];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  return [...(given ? [given] : []), ...onPath].find((file) => {
    try {
      return execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).startsWith('v20.');
    } catch {
      return false;
    }
  });
}
