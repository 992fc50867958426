import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const ONE_LINE = 'Installing what Parley needs with npm ci; this takes a minute…\n';
const BUILDING_PAGES = 'Building the web pages…\n';
const BUILDING_SDK = 'Building the SDK…\n';
const PAGE = 'web/dist/chat/index.html';
const PACKAGE = 'sdk/dist/parley-testing.tgz';
/** Stands for the Node that npm installs: it is asked for builds alone. */
const BUILDER = `#!/bin/sh
echo "$@" >> built
case "$1" in
  sdk/*) mkdir -p sdk/dist && touch ${PACKAGE} ;;
  *) mkdir -p web/dist/chat && touch ${PAGE} ;;
esac
`;

const WANTED = {
  '': { name: 'parley' },
  'node_modules/fastify': { version: '2.0.0', integrity: 'sha512-b' },
  'node_modules/for-another-system': { version: '1.0.0', optional: true },
  'node_modules/knip': { version: '1.0.0', dev: true },
};
const { 'node_modules/for-another-system': _elsewhere, ...ALL } = WANTED;
const { 'node_modules/knip': _development, ...PRODUCTION } = ALL;
const OUTDATED = { ...ALL, 'node_modules/fastify': { version: '1.9.0', integrity: 'sha512-a' } };

/** A clone whose npm notes what it was asked, and installs everything or fails; pages and SDK are built, if nothing is said. */
async function clone(installed?: object, { npmFails = false, isBuilt = true, builder = BUILDER } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'parley-bootstrap-'));
  const file = (name: string) => join(root, name);
  const tree = (packages: object) => JSON.stringify({ packages });
  await copyFile(join(import.meta.dirname, 'bootstrap.mjs'), file('bootstrap.mjs'));
  await writeFile(file('package-lock.json'), tree(WANTED));
  for (const folder of [
    'node_modules/.bin',
    'contract',
    'locales',
    'web/chat',
    'web/dist/chat',
    'sdk/dist',
    'server',
  ]) {
    await mkdir(file(folder), { recursive: true });
  }
  await writeFile(file('contract/limits.ts'), '');
  await writeFile(file('web/chat/main.tsx'), '');
  await writeFile(file('sdk/bot.ts'), '');
  if (isBuilt) for (const output of [PAGE, PACKAGE]) await writeFile(file(output), '');
  if (installed) {
    await writeFile(file('node_modules/.bin/node'), builder, { mode: 0o755 });
    await writeFile(file('node_modules/.package-lock.json'), tree(installed));
  }
  const failing = `console.log('npm error ECONNREFUSED'); process.exit(7);`;
  const installing = `
    fs.writeFileSync('node_modules/.bin/node', ${JSON.stringify(builder)}, { mode: 0o755 });
    fs.writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(tree(ALL))});`;
  await writeFile(
    file('npm.cjs'),
    `const fs = require('node:fs');
     fs.writeFileSync('asked', process.argv.slice(2).join(' '));
     ${npmFails ? failing : installing}`,
  );
  return {
    run(hook: string) {
      const env = { ...process.env, npm_lifecycle_event: hook, npm_execpath: file('npm.cjs') };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['bootstrap.mjs'], {
        cwd: root,
        env,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
    asked: () => readFile(file('asked'), 'utf8').catch(() => undefined),
    built: () => readFile(file('built'), 'utf8').catch(() => undefined),
    /** As an editor would, a minute from now. */
    async change(source: string) {
      const later = new Date(Date.now() + 60_000);
      await utimes(file(source), later, later);
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

test('nothing is done or said when all that this system needs is installed', async () => {
  await using complete = await clone(ALL);
  assert.deepEqual(complete.run('pretest'), { status: 0, stdout: '', stderr: '' });
  assert.equal(await complete.asked(), undefined);
});

test('npm ci runs, announced in one line, when node_modules is absent or behind', async () => {
  for (const installed of [undefined, OUTDATED]) {
    await using incomplete = await clone(installed);
    assert.deepEqual(incomplete.run('prestart'), { status: 0, stdout: ONE_LINE, stderr: '' });
    assert.equal(await incomplete.asked(), 'ci --loglevel=error --no-audit --no-fund');
    assert.deepEqual(incomplete.run('prestart'), { status: 0, stdout: '', stderr: '' });
  }
});

test('an installation for production suffices to start, not to test', async () => {
  await using production = await clone(PRODUCTION);
  assert.deepEqual(production.run('prestart'), { status: 0, stdout: '', stderr: '' });
  assert.equal(await production.asked(), undefined);
  assert.deepEqual(production.run('pretest'), { status: 0, stdout: ONE_LINE, stderr: '' });
  assert.equal(await production.asked(), 'ci --loglevel=error --no-audit --no-fund --include=dev');
});

test('an installation for production in which nothing is built gets what builds it', async () => {
  await using production = await clone(PRODUCTION, { isBuilt: false });
  assert.deepEqual(production.run('prestart'), {
    status: 0,
    stdout: ONE_LINE + BUILDING_PAGES + BUILDING_SDK,
    stderr: '',
  });
  assert.equal(await production.asked(), 'ci --loglevel=error --no-audit --no-fund --include=dev');
});

test('a failing install shows what npm said and ends the start', async () => {
  await using offline = await clone(undefined, { npmFails: true });
  assert.deepEqual(offline.run('prestart'), {
    status: 1,
    stdout: ONE_LINE,
    stderr: 'npm error ECONNREFUSED\nnpm ci failed (exit code 7): Parley cannot start before it succeeds.\n',
  });
});

test('pages and SDK are built when they are missing, and again when what goes into them has changed', async () => {
  await using fresh = await clone(ALL, { isBuilt: false });
  assert.deepEqual(fresh.run('prestart'), { status: 0, stdout: BUILDING_PAGES + BUILDING_SDK, stderr: '' });
  assert.deepEqual((await fresh.built())?.trim().split('\n'), [
    'node_modules/vite/bin/vite.js build --config web/vite.config.ts --logLevel warn',
    'sdk/generate/build.ts --package-only',
  ]);
  assert.deepEqual(fresh.run('prestart'), { status: 0, stdout: '', stderr: '' });
  const changes = [
    ['web/chat/main.tsx', BUILDING_PAGES],
    ['contract/limits.ts', BUILDING_PAGES + BUILDING_SDK],
    ['sdk/bot.ts', BUILDING_SDK],
  ] as const;
  for (const [source, stdout] of changes) {
    await using built = await clone(ALL);
    await built.change(source);
    assert.deepEqual(built.run('prestart'), { status: 0, stdout, stderr: '' });
  }
});

test('a failing build shows what it said and ends the start', async () => {
  await using broken = await clone(ALL, {
    isBuilt: false,
    builder: '#!/bin/sh\necho "no such module" && exit 1\n',
  });
  assert.deepEqual(broken.run('prestart'), {
    status: 1,
    stdout: BUILDING_PAGES,
    stderr: 'no such module\nThe web pages could not be built: see above.\n',
  });
});
