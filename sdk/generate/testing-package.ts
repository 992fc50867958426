import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pack, SDK, useJavaScriptNames } from './package.ts';

const ROOT = join(SDK, '..');
const BUILT = join(SDK, 'dist/testing');

/**
 * `parley-testing` as published: the helper, and the server as JavaScript, since Node strips no types below
 * `node_modules`. The server's dependencies come from npm, including its own Node.
 */
export function packTesting(): Buffer {
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(SDK, 'testing')], { stdio: 'inherit' });
  const helper = globSync('*.{js,d.ts}', { cwd: BUILT }).map((file): [string, string] => [
    `dist/${file}`,
    useJavaScriptNames(readFileSync(join(BUILT, file), 'utf8')),
  ]);
  const server = globSync(['{server,contract}/**/*.{ts,js,sql}', 'locales/*.json', 'sdk/cli/kit.ts'], {
    cwd: ROOT,
    exclude: isForDevelopment,
  })
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file): [string, string] => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      if (!file.endsWith('.ts')) return [file, text];
      return [file.replace(/ts$/, 'js'), useJavaScriptNames(stripTypeScriptTypes(text))];
    });
  return pack([
    ['package.json', manifest()],
    ['LICENSE', readFileSync(join(ROOT, 'LICENSE'), 'utf8')],
    ...helper.sort(),
    ...server.sort(),
  ]);
}

function isForDevelopment(file: string): boolean {
  return /\.test\.ts$|server\/testing$/.test(file);
}

/** The helper's dependencies, with those of the server. */
function manifest(): string {
  const own = JSON.parse(readFileSync(join(SDK, 'testing/package.json'), 'utf8'));
  const { dependencies, imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return `${JSON.stringify({ ...own, dependencies, imports }, undefined, 2)}\n`;
}
