import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

/** A feature may import those before it, and its own files. */
const FEATURES = [
  'media',
  'accounts',
  'applications',
  'bots',
  'contacts',
  'groups',
  'webhooks',
  'messages',
  'polls',
  'simulator',
  'stories',
  'oauth',
  'management-bot',
];

/** The layers that each layer may import, beside itself. */
const LAYERS: Record<string, readonly string[]> = {
  contract: [],
  platform: ['contract'],
  features: ['contract', 'platform'],
  surfaces: ['contract', 'platform', 'features'],
  workers: ['contract', 'platform', 'features'],
  main: ['contract', 'platform', 'features', 'surfaces', 'workers'],
  testing: ['contract', 'platform', 'features', 'surfaces', 'workers', 'main'],
};

const ALIASES: Record<string, string> = {
  '#contract/': 'contract/',
  '#platform/': 'server/platform/',
  '#features/': 'server/features/',
  '#surfaces/': 'server/surfaces/',
  '#workers/': 'server/workers/',
  '#testing/': 'server/testing/',
};

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

async function readImports(): Promise<Import[]> {
  const files = globSync(['contract/**/*.ts', 'server/**/*.ts', 'sdk/**/*.ts']).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const perFile = await Promise.all(
    files.map(async (from) => {
      const text = await readFile(from, 'utf8');
      const found = text.matchAll(
        /(?:^|\n)(?:import|export)( type)?\b[^;'"]*?from\s*'([^']+)'|import\('([^']+)'\)/g,
      );
      return [...found].flatMap(([, type, named, loaded]) =>
        resolve(from, named ?? loaded ?? '').map((to) => ({ from, to, isType: type !== undefined })),
      );
    }),
  );
  return perFile.flat();
}

/** The file that a specifier names; packages are left out. */
function resolve(from: string, specifier: string): string[] {
  if (specifier.startsWith('.')) return [normalize(join(dirname(from), specifier))];
  const alias = Object.keys(ALIASES).find((prefix) => specifier.startsWith(prefix));
  return alias ? [specifier.replace(alias, ALIASES[alias] as string)] : [];
}

function layerOf(file: string): string {
  const [top, second] = file.split('/');
  if (top !== 'server') return top as string;
  return second !== undefined && second in LAYERS ? second : 'main';
}

function featureOf(file: string): string | undefined {
  return /^server\/features\/([^/]+)\//.exec(file)?.[1];
}

/** Tests' own rooms may look at everything. */
function isAllowed({ from, to }: Import): boolean {
  const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
  if (fromLayer !== toLayer) return (LAYERS[fromLayer] ?? ['contract']).includes(toLayer);
  const [feature, other] = [featureOf(from), featureOf(to)];
  if (feature === undefined || other === undefined || feature === other) return true;
  return FEATURES.indexOf(other) < FEATURES.indexOf(feature);
}

test('imports go only in the directions that the architecture allows', async () => {
  const imports = await readImports();
  assert.ok(imports.length > 200, 'the imports are found');
  const wrong = imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} → ${to}`);
  assert.deepEqual(wrong, []);
});

test('every feature has its place in the order', () => {
  const found = new Set(globSync('server/features/*/*.ts').map(featureOf));
  assert.deepEqual(
    [...found].filter((feature) => !FEATURES.includes(feature ?? '')),
    [],
  );
});

test('routes and queries stay within their feature: routes call services, queries call nobody', async () => {
  const imports = (await readImports()).filter(({ isType }) => !isType);
  const wrong = imports.filter(({ from, to }) => {
    const [feature, other] = [featureOf(from), featureOf(to)];
    if (feature === undefined || other === undefined) return false;
    if (from.endsWith('/queries.ts')) return feature !== other;
    return feature !== other && to.endsWith('/queries.ts');
  });
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} → ${to}`),
    [],
  );
});

test('time and randomness come from the clock and the random source only', async () => {
  const files = globSync('server/{features,surfaces,workers}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const wrong: string[] = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    if (
      /Date\.now\(|new Date\(\)|Math\.random\(|randomUUID\(|randomBytes\(|\bnow\(\)\s*(?:at time zone|-|\+)? *`/.test(
        text,
      )
    )
      wrong.push(file);
  }
  assert.deepEqual(wrong, []);
});

test('only the configuration reads the environment', async () => {
  const files = globSync('server/**/*.ts').filter((file) => !/\.test\.ts$|^server\/testing\//.test(file));
  const wrong: string[] = [];
  for (const file of files) if (/process\.env\b/.test(await readFile(file, 'utf8'))) wrong.push(file);
  // The entry points hand it to the configuration.
  assert.deepEqual(
    wrong.filter((file) => !['server/start.ts', 'server/cli.ts'].includes(file)),
    [],
  );
});
