import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';

/** The folder of the package's source. */
export const SDK = join(import.meta.dirname, '..');
const TSC = join(SDK, '../node_modules/.bin/tsc');
/** Of every file, as npm has it: the same source makes the same bytes. */
const MODIFIED = Date.UTC(1985, 9, 26, 8, 15);

/** The file that npm runs as a command. */
const COMMAND = 'cli/main.js';

/** Code and types by the kind of module, each in a folder that tells Node which it is. */
const KINDS = {
  esm: { type: 'module', project: 'tsconfig.json' },
  // With types of its own: those of the other would have a project believe that it requires an ES module. Nobody requires
  // the command line.
  cjs: { type: 'commonjs', project: 'tsconfig.cjs.json' },
} as const;

/** Builds the package into a folder, as it is published. */
export function buildPackage(folder: string): void {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const { version } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'));
  for (const [kind, { type, project }] of Object.entries(KINDS)) {
    const out = join(folder, 'dist', kind);
    // Comments serve editors, which read the declarations; the code goes out without them.
    compile(project, out, '--declaration', 'false', '--removeComments');
    compile(project, out, '--emitDeclarationOnly');
    // Beside the code as in the source, so that `parley --version` finds it.
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

/** Packs what `buildPackage` has put into a folder, like `npm pack`; the same files give the same bytes. */
export function packPackage(folder: string): Buffer {
  const files = globSync(['package.json', 'LICENSE', 'README.md', 'dist/{esm,cjs}/**/*.{js,ts,json}'], {
    cwd: folder,
  }).sort();
  return pack(files.map((file) => [file, readFileSync(join(folder, file))]));
}

/** A package of these files, like that of `npm pack`. */
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

/** Declarations keep the `.ts` of the source, which TypeScript before 5.7 does not follow. */
export function useJavaScriptNames(text: string): string {
  return text.replaceAll(/((?:from|import)\s*\(?\s*)'([.#][^']*)\.ts'/g, "$1'$2.js'");
}
