/**
 * `npm test`: every test file of the repository. A machine without a browser or a Redis leaves out, and says so, the
 * files that need one; in CI they are never left out.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FILES = ['*.test.ts', '{contract,server,sdk,web,tests}/**/*.test.ts'];

/** At once, on two cores: most of them wait for PostgreSQL or a browser for a good part of their time. */
const CONCURRENCY = 3;

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

const child = spawn(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${CONCURRENCY}`,
    '--test-global-setup=server/testing/global-setup.ts',
    ...files,
  ],
  // Every file is a process, and many start servers: what one has compiled the next need not.
  { stdio: 'inherit', env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  for (const { program, hint, files: unrun } of leftOut) {
    console.error(`NOT RUN, since there is no ${program} here (${hint}):\n  ${unrun.join('\n  ')}`);
  }
  process.exitCode = code ?? (signal ? 1 : 0);
});
