// Runs before `npm start` and its like, on whatever Node is there: installs what package-lock.json asks for and
// node_modules lacks, and builds the web pages and the SDK. Only then does `node` mean the Node 24 that Parley runs on.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const root = dirname(fileURLToPath(import.meta.url));

/** Each thing that is built from the source: the file written last, and the arguments of our Node that build it. */
const BUILDS = [
  {
    about: 'web pages',
    output: 'web/dist/chat/index.html',
    sources: ['web', 'contract', 'locales'],
    args: ['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'],
  },
  {
    about: 'SDK',
    output: 'sdk/dist/parley-testing.tgz',
    sources: ['sdk', 'server', 'contract', 'locales'],
    args: ['sdk/generate/build.ts', '--package-only'],
  },
];

// `npm start` is content with an installation for production once all is built; tests, the demo and the builds need the
// development packages too.
const withDevelopment = process.env.npm_lifecycle_event !== 'prestart' || !BUILDS.every(isBuilt);

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST_NODE) {
  fail(
    `Parley needs Node ${OLDEST_NODE} or later to install itself, and this is ${process.version}: see https://nodejs.org`,
  );
} else {
  if (!isInstalled()) install();
  for (const one of BUILDS) if (!process.exitCode && !isBuilt(one)) build(one);
}

/** npm keeps the tree that it installed in a lock file of its own; equal content, not time, says that all is there. */
function isInstalled() {
  if (!existsSync(join(root, 'node_modules/.bin/node'))) return false;
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional, dev, link }]) => {
    if (!path.includes('node_modules/') || link) return true;
    const found = present[path];
    // npm leaves out what is for other platforms.
    if (!found) return optional || ((dev || devOptional) && !withDevelopment);
    return found.version === version && (found.integrity ?? integrity) === (integrity ?? found.integrity);
  });
}

function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.log('Installing what Parley needs with npm ci; this takes a minute…');
  const options = [
    'ci',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    ...(withDevelopment ? ['--include=dev'] : []),
  ];
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? ['node', [npm, ...options]] : ['npm', options];
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    // npm begins by deleting node_modules: it must not run on the Node in there.
    env: { ...process.env, PATH: pathWithoutModules() },
    shell: process.platform === 'win32' && !npm,
  });
  if (status === 0 && isInstalled()) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  if (status === 0)
    return fail('npm ci succeeded, and yet node_modules does not hold all of package-lock.json.');
  fail(
    `npm ci failed (${error?.message ?? signal ?? `exit code ${status}`}): Parley cannot start before it succeeds.`,
  );
}

/** Built, and since then nothing that goes into it was changed. */
function isBuilt({ output, sources }) {
  const builtAt = modifiedAt(join(root, output));
  if (builtAt === undefined) return false;
  const files = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(root, folder, 'dist')))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...files, join(root, 'package-lock.json')].every((file) => modifiedAt(file) <= builtAt);
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function build({ about, args }) {
  console.log(`Building the ${about}…`);
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/node'), args, {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  fail(`The ${about} could not be built: see above.`);
}

function pathWithoutModules() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.endsWith(join('node_modules', '.bin'))).join(delimiter);
}

function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}
