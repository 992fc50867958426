import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseTarGzip } from 'nanotar';
import { packTesting } from '../../sdk/generate/testing-package.ts';

/** A developer's folder with `parley-testing` and its dependencies installed. */
export async function installTesting(): Promise<Disposable & { directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-testing-package-'));
  const modules = join(directory, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync('node_modules'))
    symlinkSync(resolve('node_modules', name), join(modules, name));
  for (const { name, text } of await parseTarGzip(packTesting())) {
    const file = join(modules, name.replace(/^package/, 'parley-testing'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}
