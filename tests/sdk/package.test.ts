import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSdk } from './built-sdk.ts';

const run = promisify(execFile);

interface Packed {
  filename: string;
  files: { path: string }[];
}

function pack(target: string, ...options: string[]): Packed {
  const text = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...options], {
    cwd: target,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return [JSON.parse(text)]
    .flat()
    .flatMap((packed) => ('files' in packed ? [packed] : Object.values(packed)))[0];
}

test('the package has its code, its types, and nothing else; no dependency; under 15 kB compressed', () => {
  using sdk = buildSdk();
  const target = join(sdk.directory, 'parley-sdk');
  const sources = globSync(['*.ts', 'adapters/*.ts', 'node/*.ts'], { cwd: 'sdk' }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const built = sources.flatMap((file) => [file.replace(/ts$/, 'js'), file.replace(/ts$/, 'd.ts')]);
  assert.deepEqual(
    pack(target, '--dry-run')
      .files.map(({ path }) => path)
      .sort(),
    ['LICENSE', 'README.md', 'package.json', ...built.map((file) => `dist/${file}`)].sort(),
  );
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  const code = globSync('dist/**/*.js', { cwd: target }).map((file) =>
    readFileSync(join(target, file), 'utf8'),
  );
  assert.ok(gzipSync(code.join('')).length < 15_000);
  assert.ok(code.every((text) => !/typebox|#contract/.test(text)));
});

test('only what is for Node imports from Node', () => {
  for (const file of globSync(['sdk/*.ts', 'sdk/adapters/*.ts']).filter(
    (name) => !name.endsWith('.test.ts'),
  )) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /from 'node:/, file);
  }
});

/** Options of a consumer's project, each with the libraries that such a project has. */
const PROJECTS = {
  'node.json': { module: 'nodenext', types: ['node'], lib: ['es2023'], skipLibCheck: true },
  'bundler.json': {
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
  },
};

/** Files that need packages which the repository does not have. */
const SOURCES = {
  'express.ts': `
    import express from 'express';
    import { Bot } from 'parley-sdk';
    const bot = new Bot({ baseUrl: 'https://chat.example.com', apiKey: 'key', webhookSecret: 'secret' });
    export const app = express().post('/hook', bot.nodeHandler());`,
  'browser.ts': `
    import { Bot } from 'parley-sdk';
    export const me = await new Bot({ baseUrl: 'https://chat.example.com', apiKey: 'key', fetch }).getMe();`,
};

function writeProject(directory: string, name: string, files: string[], compilerOptions: object): void {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const common = { noEmit: true, target: 'es2022', allowImportingTsExtensions: true, ...strict };
  writeFileSync(
    join(directory, name),
    JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, files }),
  );
}

/** A project outside the repository that has installed the tarball, as a developer does. */
async function freshProject(t: TestContext): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sdk-fresh-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  using sdk = buildSdk();
  const { filename } = pack(join(sdk.directory, 'parley-sdk'), '--pack-destination', directory);
  writeFileSync(join(directory, 'package.json'), '{"name":"fresh","private":true,"type":"module"}');
  const packages = [
    `./${filename}`,
    'ts5@npm:typescript@5.9.3',
    'ts7@npm:typescript@7.0.2',
    '@types/node@24',
    'fastify@5',
    '@types/express@5',
  ];
  await run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...packages],
    {
      cwd: directory,
    },
  );
  cpSync('examples', join(directory, 'examples'), { recursive: true });
  cpSync('tests/sdk/type-use.ts', join(directory, 'type-use.ts'));
  for (const [file, text] of Object.entries(SOURCES)) writeFileSync(join(directory, file), text);
  const examples = globSync('examples/*.ts');
  writeProject(directory, 'node.json', ['type-use.ts', 'express.ts', ...examples], PROJECTS['node.json']);
  writeProject(directory, 'bundler.json', ['browser.ts'], PROJECTS['bundler.json']);
  return directory;
}

test('a fresh project type-checks under TypeScript 5 and 7, strict, with Node and with a bundler', async (t) => {
  const cwd = await freshProject(t);
  for (const typescript of ['ts5', 'ts7']) {
    for (const project of Object.keys(PROJECTS)) {
      const tsc = join('node_modules', typescript, 'bin/tsc');
      const { stdout } = await run(process.execPath, [tsc, '-p', project], { cwd }).catch((error) => error);
      assert.equal(stdout, '', `${typescript} ${project}`);
    }
  }
});
