import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { parseTarGzip } from 'nanotar';
import { parse } from 'yaml';
import { packPackage } from '../../sdk/generate/package.ts';
import { buildSdk, findSystemNode, readmeBot, withoutAwait } from './built-sdk.ts';
import { answered, createSdkScene, type SdkScene } from './sdk-scene.ts';

const run = promisify(execFile);

/** The files that `npm publish` would include. */
function filesForNpm(target: string): string[] {
  const text = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--dry-run'], {
    cwd: target,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const [packed] = [JSON.parse(text)].flat().flatMap((one) => ('files' in one ? [one] : Object.values(one)));
  return (packed as { files: { path: string }[] }).files.map(({ path }) => path).sort();
}

test('the package has its code, its types, and nothing else; no dependency; under 19.9 kB of code compressed', async () => {
  using sdk = buildSdk();
  const target = join(sdk.directory, 'parley-sdk');
  const sources = globSync(['*.ts', 'adapters/*.ts', 'node/*.ts', 'polling/*.ts', 'postgres/*.ts'], {
    cwd: 'sdk',
  }).filter((file) => !file.endsWith('.test.ts'));
  // Never loaded by `require`.
  const modulesOnly = globSync(['cli/**/*.ts', 'chat-sdk/*.ts'], { cwd: 'sdk' });
  const built = ['esm', 'cjs'].flatMap((kind) =>
    [...sources, ...(kind === 'esm' ? modulesOnly : [])]
      .flatMap((file) => [file.replace(/ts$/, 'js'), file.replace(/ts$/, 'd.ts')])
      .concat('package.json')
      .map((file) => `dist/${kind}/${file}`),
  );
  const expected = ['LICENSE', 'README.md', 'package.json', ...built].sort();
  const tarball = packPackage(target);
  const inTarball = await parseTarGzip(tarball);
  assert.deepEqual(inTarball.map(({ name }) => name.replace('package/', '')).sort(), expected);
  assert.deepEqual(filesForNpm(target), expected);
  assert.deepEqual(packPackage(target), tarball, 'the same bytes');
  const manifest = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  // Of those who use the adapter, or keep sessions in PostgreSQL.
  assert.deepEqual(manifest.peerDependenciesMeta, { chat: { optional: true }, pg: { optional: true } });
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['chat', 'pg']);
  const code = globSync('dist/cjs/**/*.js', { cwd: target, exclude: ['**/postgres/**'] }).map((file) =>
    readFileSync(join(target, file), 'utf8'),
  );
  assert.ok(gzipSync(code.join('')).length < 19_900);
  assert.ok(code.every((text) => !/typebox|#contract/.test(text)));
});

test('it is published under the name of the pipeline’s repository, with provenance', async (t) => {
  const { promise: published, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const registry = createServer(async (request, response) => {
    if (request.method === 'PUT') resolve(JSON.parse(await text(request)));
    response.writeHead(request.method === 'PUT' ? 201 : 404).end('{}');
  }).listen(0, '127.0.0.1');
  t.after(() => registry.close());
  await once(registry, 'listening');
  const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const environment = { GITHUB_SERVER_URL: 'https://git.acme.test', GITHUB_REPOSITORY: 'acme/parley' };
  const options = [`--registry=http://${host}`, `--//${host}/:_authToken=token`, '--ignore-scripts'];
  const publish = (env: Record<string, string>, ...more: string[]) =>
    run(process.execPath, ['sdk/generate/publish.ts', ...options, ...more], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: tmpdir(), ...env },
    });
  await publish(environment, '--provenance=false');
  const { versions } = (await published) as { versions: Record<string, Record<string, unknown>> };
  const [{ repository, publishConfig } = {}] = Object.values(versions);
  assert.deepEqual(repository, {
    type: 'git',
    url: 'git+https://git.acme.test/acme/parley.git',
    directory: 'sdk',
  });
  assert.deepEqual(publishConfig, { access: 'public', provenance: true });
  await assert.rejects(publish({}), /GitHub Actions and GitLab CI only/);
});

test('a release publishes it from a pipeline that may attest to its origin', () => {
  const workflow = parse(readFileSync('.github/workflows/publish-sdk.yml', 'utf8'));
  assert.deepEqual(workflow.on, { release: { types: ['published'] } });
  assert.equal(workflow.permissions['id-token'], 'write');
  const commands = workflow.jobs.publish.steps.flatMap(({ run: command }: { run?: string }) => command ?? []);
  assert.deepEqual(commands, ['npm ci', 'npm run publish:sdk']);
});

test('only modules for Node import from Node', () => {
  for (const file of globSync(['sdk/*.ts', 'sdk/{adapters,polling}/*.ts']).filter(
    (name) => !name.endsWith('.test.ts'),
  )) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /from 'node:/, file);
  }
});

/** Compiler options of a consumer's project, each with its libraries. */
const PROJECTS = {
  'node.json': { module: 'nodenext', types: ['node'], lib: ['es2023'], skipLibCheck: true },
  'node16.json': { module: 'node16', types: ['node'], lib: ['es2023'], skipLibCheck: true },
  'bundler.json': {
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
  },
  'node10.json': {
    module: 'commonjs',
    moduleResolution: 'node10',
    types: ['node'],
    lib: ['es2022'],
    skipLibCheck: true,
    esModuleInterop: true,
  },
};

type Project = keyof typeof PROJECTS;

/** TypeScript 6 is the last version that supports node10, and warns that it is deprecated. */
const COMPILERS: Record<string, readonly Project[]> = {
  'ts5.4': ['node16.json', 'bundler.json', 'node10.json'],
  'ts5.9': ['node.json', 'node10.json'],
  ts6: ['node.json'],
  ts7: ['node.json', 'node16.json', 'bundler.json'],
};

/** Files that need packages missing from the repository. */
const SOURCES = {
  'express.ts': `
    import express from 'express';
    import { Bot } from 'parley-sdk';
    const bot = new Bot({ baseUrl: 'https://chat.example.com', apiKey: 'key', webhookSecret: 'secret' });
    export const app = express().post('/hook', bot.nodeHandler());`,
  'browser.ts': `
    import { Bot } from 'parley-sdk';
    export const me = await new Bot({ baseUrl: 'https://chat.example.com', apiKey: 'key', fetch }).getMe();`,
  'required.cts': `
    import { Bot, type IncomingMessage, type Question } from 'parley-sdk';
    import { FileCursor } from 'parley-sdk/node';
    import { PostgresSessionStore } from 'parley-sdk/postgres';
    const pool = { query: async () => ({ rows: [] }) };
    const questions = new PostgresSessionStore<Question[]>({ pool, name: 'questions' });
    const bot = new Bot({ baseUrl: 'https://chat.example.com', apiKey: 'key', questions });
    bot.on('message', (message: IncomingMessage) => message.reply(message.textMsg));
    export const polling: Promise<void> = bot.poll({ cursor: new FileCursor('cursor') });`,
};

const FILES: Record<Project, readonly string[]> = {
  'node.json': ['type-use.ts', 'express.ts', 'required.cts', ...globSync('examples/*.ts')],
  'node16.json': ['type-use.ts', 'required.cts'],
  'bundler.json': ['browser.ts'],
  'node10.json': ['required.cts'],
};

/** A project outside the repository with a server's packages installed, like a developer's. */
async function freshProject(t: TestContext, { baseUrl }: SdkScene): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sdk-fresh-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'package.json'), '{"name":"fresh","private":true,"type":"module"}');
  const packages = [
    `${baseUrl}/sdk/parley-sdk.tgz`,
    'ts5.4@npm:typescript@5.4.5',
    'ts5.9@npm:typescript@5.9.3',
    'ts6@npm:typescript@6.0.3',
    'ts7@npm:typescript@7.0.2',
    '@types/node@24',
    'fastify@5',
    '@types/express@5',
    'publint@0.3.25',
  ];
  await run(
    'npm',
    [
      'install',
      '--prefer-offline',
      '--ignore-scripts',
      '--allow-remote=root',
      '--no-audit',
      '--no-fund',
      ...packages,
    ],
    { cwd: directory },
  );
  cpSync('examples', join(directory, 'examples'), { recursive: true });
  cpSync('tests/sdk/type-use.ts', join(directory, 'type-use.ts'));
  for (const [file, text] of Object.entries(SOURCES)) writeFileSync(join(directory, file), text);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const common = {
    noEmit: true,
    declaration: true,
    target: 'es2022',
    allowImportingTsExtensions: true,
    ...strict,
  };
  for (const [name, options] of Object.entries(PROJECTS)) {
    const project = { compilerOptions: { ...common, ...options }, files: FILES[name as Project] };
    writeFileSync(join(directory, name), JSON.stringify(project));
  }
  mkdirSync(join(directory, 'commonjs'));
  const inProject = (file: string, text: string) => writeFileSync(join(directory, 'commonjs', file), text);
  const options = {
    module: 'commonjs',
    moduleResolution: 'node10',
    target: 'es2022',
    types: ['node'],
    strict: true,
  };
  inProject('package.json', '{"type":"commonjs"}');
  inProject('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true } }));
  inProject('bot.ts', withoutAwait(readmeBot(directory, baseUrl)));
  return directory;
}

test('the served package type-checks under TypeScript 5.4 to 7, strict, in every kind of project', async (t) => {
  await using scene = await createSdkScene();
  const cwd = await freshProject(t, scene);
  const said = async (script: string, ...args: string[]) =>
    (await run(process.execPath, [join('node_modules', script), ...args], { cwd }).catch((error) => error))
      .stdout;
  for (const [compiler, projects] of Object.entries(COMPILERS)) {
    for (const project of projects) {
      assert.equal(await said(`${compiler}/bin/tsc`, '-p', project), '', `${compiler} ${project}`);
    }
  }
  assert.match(await said('publint/src/cli.js', 'node_modules/parley-sdk', '--strict'), /All good!/);

  // The README's bot in a project with `moduleResolution` node10, on the machine's own Node.
  assert.equal(await said('ts5.4/bin/tsc', '-p', 'commonjs'), '');
  const child = spawn(findSystemNode(), ['commonjs/bot.js'], {
    cwd,
    env: { ...process.env, PARLEY_API_KEY: scene.bot.key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(() => child.kill());
  await answered(scene, scene.bot, 'You wrote: Hello');
});
