import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';

/** The source folder of the package. */
export const SDK = join(import.meta.dirname, '..');
const TSC = join(SDK, '../node_modules/.bin/tsc');
/** The modification time of every file, as with npm: the same source gives the same bytes. */
const MODIFIED = Date.UTC(1985, 9, 26, 8, 15);

/** The file that npm installs as a command. */
const COMMAND = 'cli/main.js';

/** Code and types for each module format, each in a folder that declares its format to Node. */
const KINDS = {
  esm: { type: 'module', project: 'tsconfig.json' },
  // With types of its own: the other format's types would mark the package as an ES module. The command line and the adapter of
  // the Chat SDK are never loaded by `require`.
  cjs: { type: 'commonjs', project: 'tsconfig.cjs.json' },
} as const;

/** Builds the package into a folder, as published. */
export function buildPackage(folder: string): void {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const { version } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'));
  for (const [kind, { type, project }] of Object.entries(KINDS)) {
    const out = join(folder, 'dist', kind);
    // Comments are for editors, which read the declarations; the code is published without them.
    compile(project, out, '--declaration', 'false', '--removeComments');
    compile(project, out, '--emitDeclarationOnly');
    // At the same relative path as in the source, so that `parley --version` finds it.
    writeFileSync(join(out, 'package.json'), `${JSON.stringify({ version, type })}\n`);
    for (const file of globSync('**/*.d.ts', { cwd: out })) {
      const text = readFileSync(join(out, file), 'utf8');
      writeFileSync(join(out, file), useJavaScriptNames(text));
    }
  }
  chmodSync(join(folder, 'dist/esm', COMMAND), 0o755);
  for (const file of ['package.json', 'LICENSE', 'README.md']) {
    if (folder !== SDK) cpSync(join(SDK, file), join(folder, file));
  }
}

/** Packs the output of `buildPackage`, like `npm pack`; the same files give the same bytes. */
export function packPackage(folder: string): Buffer {
  const files = globSync(['package.json', 'LICENSE', 'README.md', 'dist/{esm,cjs}/**/*.{js,ts,json}'], {
    cwd: folder,
  }).sort();
  return pack(files.map((file) => [file, readFileSync(join(folder, file))]));
}

/** A tarball of these files, like that of `npm pack`. */
export function pack(files: [name: string, data: string | Buffer][]): Buffer {
  const tar = createTar(
    files.map(([name, data]) => ({
      name: `package/${name}`,
      data,
      attrs: { mode: name.endsWith(COMMAND) ? '755' : '644', uid: 0, gid: 0, mtime: MODIFIED },
    })),
  );
  return gzipSync(tar, { level: 9 });
}

function compile(project: string, out: string, ...options: string[]): void {
  execFileSync(TSC, ['-p', join(SDK, project), '--outDir', out, ...options], { stdio: 'inherit' });
}

/** Declarations keep the `.ts` extensions of the source, which TypeScript before 5.7 does not resolve. */
export function useJavaScriptNames(text: string): string {
  return text.replaceAll(/((?:from|import)\s*\(?\s*)'([.#][^']*)\.ts'/g, "$1'$2.js'");
}
