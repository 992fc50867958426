/**
 * `npm test`: every test file of the repository. A machine without a browser or a Redis leaves out, and says so, the
 * files that need one; in CI they are never left out.
 */
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';

const FILES = ['*.test.ts', '{contract,server,sdk,web,tests}/**/*.test.ts'];

/** One more at once than there are cores: most of them wait for PostgreSQL or a browser for a part of their time. */
const CONCURRENCY = availableParallelism() + 1;

const COMPILED = join(import.meta.dirname, '../node_modules/.cache/compiled');

const NEEDS = [
  {
    program: 'chromium',
    sign: /chromium\.ts|(web|chat|console)-scene\.ts/,
    under: 'tests/',
    hint: 'apt-get install chromium',
  },
  { program: 'redis-server', sign: /testing\/redis\.ts/, under: '', hint: 'apt-get install redis-server' },
];

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const missing = process.env['CI'] ? [] : NEEDS.filter(({ program }) => !isInstalled(program));
const all = globSync(FILES, { exclude: ['**/node_modules/**', '**/dist/**'] }).sort();
const leftOut = missing.map((need) => ({
  ...need,
  files: all.filter((file) => file.startsWith(need.under) && need.sign.test(readFileSync(file, 'utf8'))),
}));
const files = all.filter((file) => !leftOut.some((need) => need.files.includes(file)));

/** Those that take long begin first, so that nothing is waited for at the end. */
const LONG = 'tests/';
const inOrder = [...files].sort((a, b) => Number(b.startsWith(LONG)) - Number(a.startsWith(LONG)));

// Every file is a process, and many start servers: what one has compiled the next need not.
process.env['NODE_COMPILE_CACHE'] = COMPILED;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
await globalSetup();
try {
  const outcome = run({ files: inOrder, concurrency: CONCURRENCY, signal: stopping.signal });
  outcome.on('test:fail', () => {
    process.exitCode = 1;
  });
  for await (const text of outcome.compose(spec)) process.stdout.write(text);
} finally {
  await globalTeardown();
}
for (const { program, hint, files: unrun } of leftOut) {
  console.error(`NOT RUN, since there is no ${program} here (${hint}):\n  ${unrun.join('\n  ')}`);
}
