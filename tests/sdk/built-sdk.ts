import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPackage } from '../../sdk/generate/package.ts';

/** The package as published, in a directory of the test's own. */
export interface BuiltSdk extends Disposable {
  directory: string;
  /** The specifier for `import`. */
  url: string;
  urlForNode: string;
}

/** A directory in which scripts can `import 'parley-sdk'`. */
export function buildSdk(): BuiltSdk {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sdk-'));
  const target = join(directory, 'parley-sdk');
  buildPackage(target);
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(target, join(directory, 'node_modules', 'parley-sdk'));
  return {
    directory,
    url: pathToFileURL(join(target, 'dist/esm/index.js')).href,
    urlForNode: pathToFileURL(join(target, 'dist/esm/node/index.js')).href,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The README's bot in a folder with the package installed, and the address of a server. */
export function readmeBot(folder: string, server: string): string {
  const readme = readFileSync(join(folder, 'node_modules/parley-sdk/README.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  return code.replace('http://localhost:3000', server);
}

/** As in the README below the bot. */
export function withoutAwait(code: string): string {
  return code.replace('await bot.poll', 'bot.poll');
}

/** The machine's own Node, 20 or later; ours if there is none. */
export function findSystemNode(): string {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const others = onPath.filter((file) => !file.includes('node_modules') && existsSync(file));
  return others[0] ?? process.execPath;
}
