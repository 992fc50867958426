import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  castsWithoutReason,
  changesWithoutVersion,
  circles,
  commentsThatBeginWithWhat,
  FEATURES,
  folderCircles,
  importsPastFaces,
  packagesForDevelopment,
  queriesThatCallOthers,
  routesOutsideTables,
  SAMPLES,
  schemasInPages,
  writesWithDb,
  wrongDirections,
} from './tests/architecture/rules.ts';
import { importsOf, readProduct, type Source } from './tests/architecture/sources.ts';

const product = readProduct();

/** Shows a rule files that break it, then holds the product to it. */
function holds(name: string, rule: (sources: Source[]) => string[], bad: Source[], found: string[]): void {
  test(name, () => {
    assert.deepEqual(rule(bad), found, 'the rule finds what breaks it');
    assert.deepEqual(rule(product), []);
  });
}

test('the product is read whole', () => {
  assert.ok(product.length > 700);
  assert.ok(product.flatMap(importsOf).length > 2_000);
  const found = new Set(product.map(({ path }) => /^server\/features\/([^/]+)\//.exec(path)?.[1]));
  assert.deepEqual([...found].filter(Boolean).toSorted(), FEATURES.toSorted());
});

holds(
  'imports go only in the directions that the architecture allows',
  wrongDirections,
  [
    { path: 'server/features/groups/a.ts', text: "import { x } from '#features/messages/index.ts';" },
    { path: 'server/platform/b.ts', text: "import type { X } from '#features/media/index.ts';" },
    { path: 'contract/c.ts', text: "import { x } from '#platform/clock.ts';" },
    { path: 'web/chat/d.ts', text: "import { x } from '../../server/platform/clock.ts';" },
  ],
  [
    'server/features/groups/a.ts → server/features/messages/index.ts',
    'server/platform/b.ts → server/features/media/index.ts',
    'contract/c.ts → server/platform/clock.ts',
    'web/chat/d.ts → server/platform/clock.ts',
  ],
);

holds(
  'whoever is outside a feature imports its face alone, types included',
  importsPastFaces,
  [
    { path: 'server/features/polls/a.ts', text: "import type { Row } from '#features/groups/queries.ts';" },
    { path: 'server/surfaces/b.ts', text: "export * from '#features/groups/rules.ts';" },
    { path: 'server/cli/c.ts', text: "await import('#features/groups/create.ts');" },
    { path: 'server/features/groups/d.ts', text: "import { x } from './queries.ts';" },
    { path: 'server/workers/e.ts', text: "import { x } from '#features/groups/index.ts';" },
  ],
  [
    'server/features/polls/a.ts → server/features/groups/queries.ts',
    'server/surfaces/b.ts → server/features/groups/rules.ts',
    'server/cli/c.ts → server/features/groups/create.ts',
  ],
);

holds(
  'pages import no values from files of schemas',
  schemasInPages,
  [
    { path: 'contract/a.ts', text: "import { Type } from 'typebox';" },
    { path: 'contract/b.ts', text: "import { Kind } from './a.ts';" },
    { path: 'web/chat/c.ts', text: "import { kinds } from '#contract/b.ts';" },
    { path: 'web/chat/d.ts', text: "import type { Kind } from '#contract/a.ts';" },
  ],
  ['web/chat/c.ts → contract/b.ts'],
);

holds(
  'no files import each other in a circle, types included',
  circles,
  [
    { path: 'sdk/a.ts', text: "import { b } from './b.ts';" },
    { path: 'sdk/b.ts', text: "import type { C } from './c.ts';" },
    { path: 'sdk/c.ts', text: "import './a.ts';" },
    { path: 'server/features/polls/index.ts', text: "import { pollRoutes } from './v1.ts';" },
    { path: 'server/features/polls/v1.ts', text: "import type { Polls } from './index.ts';" },
  ],
  ['sdk/a.ts ⇄ sdk/b.ts ⇄ sdk/c.ts', 'server/features/polls/index.ts ⇄ server/features/polls/v1.ts'],
);

holds(
  'folders import each other in one direction',
  folderCircles,
  [
    { path: 'web/ui/a.ts', text: "import { b } from '../chat/b.ts';" },
    { path: 'web/chat/c.ts', text: "import { d } from '../ui/d.ts';" },
    { path: 'sdk/node/e.ts', text: "import { f } from '../polling/f.ts';" },
    { path: 'sdk/polling/g.ts', text: "import type { H } from '../node/h.ts';" },
    { path: 'server/platform/http/i.ts', text: "import { j } from '../database/j.ts';" },
    { path: 'server/platform/database/k.ts', text: "import { l } from '#platform/http/l.ts';" },
    { path: 'sdk/bot.ts', text: "import { poll } from './polling/polling.ts';" },
    { path: 'sdk/polling/polling.ts', text: "import { m } from '../service.ts';" },
    { path: 'server/features/polls/votes/n.ts', text: "import { o } from '../results/o.ts';" },
    { path: 'server/features/polls/results/p.ts', text: "import type { Q } from '../votes/q.ts';" },
    { path: 'server/features/polls/r.ts', text: "import { s } from './votes/s.ts';" },
    { path: 'server/features/polls/votes/t.ts', text: "import { u } from '../queries.ts';" },
  ],
  [
    'sdk/node ⇄ sdk/polling',
    'server/features/polls/results ⇄ server/features/polls/votes',
    'server/platform/database ⇄ server/platform/http',
    'web/chat ⇄ web/ui',
  ],
);

holds(
  'a write takes the transaction that it belongs to',
  writesWithDb,
  [
    { path: 'server/features/polls/a.ts', text: 'await db`\n  insert into polls (poll_id) values (1)`;' },
    {
      path: 'server/workers/b.ts',
      text: 'await deps.db<Row[]>`with due as (select 1) update polls as p set x = 1`;',
    },
    {
      path: 'server/features/polls/c.ts',
      text: 'await db`select x from polls`; await tx`delete from polls`;',
    },
  ],
  ['server/features/polls/a.ts:1', 'server/workers/b.ts:1'],
);

holds(
  'features declare their routes in the table of a surface',
  routesOutsideTables,
  [
    { path: 'server/features/polls/a.ts', text: "app.get('/v1/polls', async () => ({}));" },
    { path: 'server/features/polls/b.ts', text: "serve(V1, { 'GET /v1/polls': list });" },
  ],
  ['server/features/polls/a.ts'],
);

holds(
  'queries call no other feature',
  queriesThatCallOthers,
  [{ path: 'server/features/polls/vote-queries.ts', text: "import { x } from '#features/groups/index.ts';" }],
  ['server/features/polls/vote-queries.ts → server/features/groups/index.ts'],
);

holds(
  'what a cached API key depends on changes only together with the version of its application',
  changesWithoutVersion,
  [
    {
      path: 'server/features/bots/queries.ts',
      text: 'export async function rename(tx: Tx) {\n  await tx`update bots set username = null`;\n}',
    },
  ],
  ['server/features/bots/queries.ts: rename'],
);

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

holds(
  'the server runs on packages that are there without devDependencies',
  (sources) => packagesForDevelopment(sources, Object.keys(dependencies)),
  [
    {
      path: 'server/a.ts',
      text: "import axe from 'axe-core';\nimport type { Page } from 'playwright-core';",
    },
    { path: 'contract/b.ts', text: "const load = () => import('@mantine/core/styles.css');" },
    { path: 'server/c.ts', text: "import { Type } from 'typebox';\nimport { join } from 'node:path';" },
  ],
  ['server/a.ts → axe-core', 'contract/b.ts → @mantine/core'],
);

holds(
  'a cast through unknown has its reason beside it',
  castsWithoutReason,
  [
    { path: 'server/a.ts', text: 'const x = y as unknown as X;' },
    { path: 'server/b.ts', text: '// The library has no type for it.\nconst x = y as unknown as X;' },
  ],
  ['server/a.ts:1'],
);

holds(
  'no comment begins with "What"',
  commentsThatBeginWithWhat,
  [{ path: 'server/a.ts', text: '/** What is sent. */\nconst A = 1;\n// The rest.\n  // What else.' }],
  ['server/a.ts:1', 'server/a.ts:4'],
);

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
    wrong.filter(
      (file) => !['server/start.ts', 'server/cli.ts', 'server/emulator.ts', SAMPLES].includes(file),
    ),
    [],
  );
});
