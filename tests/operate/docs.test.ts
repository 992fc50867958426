import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { SETTINGS } from '#platform/config/settings.ts';
import { openDatabase } from '#platform/database.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { startRedis } from '#testing/redis.ts';
import { LONGEST_WAIT_MS, PATIENT } from '#testing/waits.ts';
import { runCommandLine } from '../../server/cli/command-line.ts';
import { Browser } from '../browser.ts';
import { startParley } from '../processes.ts';
import { readCommandBlocks, toScript } from './doc-commands.ts';

const EMAIL = 'ada@example.com';
const PARTS = [
  'package.json',
  'bootstrap.mjs',
  'contract',
  'server',
  'node_modules',
  'deploy',
  'docs',
  'tests',
  'web',
];

interface Outcome {
  code: number;
  output: string;
}

function bash(args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Outcome> {
  return new Promise((done) => {
    execFile('bash', args, { timeout: LONGEST_WAIT_MS, ...options }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` });
    });
  });
}

/** An origin for `git pull`. */
const REPOSITORY = `
git init --quiet --bare upstream.git
git init --quiet --initial-branch=main
git -c user.name=Ada -c user.email=${EMAIL} commit --quiet --allow-empty --message=Parley
git remote add origin upstream.git
git push --quiet --set-upstream origin main
`;

const started = new AsyncDisposableStack();

/** A server as a reader has it: in the source directory, with its data in ./data, and one application with a bot. */
async function readersServer() {
  const directory = await mkdtemp(join(tmpdir(), 'parley-docs-'));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  for (const part of PARTS) await symlink(resolve(part), join(directory, part));
  const { code, output } = await bash(['-euo', 'pipefail', '-c', REPOSITORY], { cwd: directory });
  assert.equal(code, 0, output);
  const dataDir = join(directory, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const server = started.use(await startParley({ DATA_DIR: dataDir }));
  const ada = new Browser(server.url);
  await ada.post('/api/auth/sign-up', { email: EMAIL, password: 'correct horse', name: 'Ada' });
  const { appId, apiKey } = await ada.post<Record<string, string>>('/api/console/applications', {
    name: 'Weather',
  });
  await ada.post(`/api/console/applications/${appId}/bot`, { username: 'weather_bot' });
  const { groupId } = await ada.post<Record<string, string>>('/api/chat/groups', {
    name: 'Choir',
    members: [],
  });
  await ada.post('/api/chat/groups/messages', { groupId, type: 'text', content: 'Hello' });
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HOME: directory,
    APP_ID: appId,
    API_KEY: apiKey,
    GROUP_ID: groupId,
    EMAIL,
  };
  return { directory, env, url: server.url };
}

const reader = await readersServer();
const redis = started.use(await startRedis());
const database = started.use(await createEmptyDatabase());
after(() => started.disposeAsync());

const blocks = await readCommandBlocks();
const pages = Map.groupBy(
  blocks.filter(({ isForHost, notRun }) => !isForHost && !notRun),
  ({ page }) => page,
);

test('the pages have commands to run', () => assert.ok(pages.size >= 6));

for (const [page, commands] of pages) {
  test(`every command of ${page} runs on a scratch server`, async () => {
    const { directory, env, url } = reader;
    const script = toScript(commands)
      .replaceAll('http://localhost:3000', url)
      .replace('redis://127.0.0.1:6379', redis.url)
      .replace('postgres://parley:secret@db.example.com/parley', database.url);
    const { code, output } = await bash(['-euo', 'pipefail', '-c', script], { cwd: directory, env });
    assert.equal(code, 0, output);
  });
}

test('commands for a host, and those that no test runs, are valid shell, and our files and commands in them exist', async () => {
  for (const { page, line, commands } of blocks.filter(({ isForHost, notRun }) => isForHost || notRun)) {
    const place = `${page}:${line}`;
    const { code, output } = await bash(['-n', '-c', commands]);
    assert.equal(code, 0, `${place} ${output}`);
    for (const [path] of commands.matchAll(/\bdeploy\/[\w./-]*\w/g))
      if (!/^deploy\/(\.env|keys(\/(master\.keys|backup\.passphrase))?)$/.test(path))
        assert.ok(existsSync(path), `${place} names ${path}`);
    for (const [, script = ''] of commands.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g))
      assert.match(await readFile('package.json', 'utf8'), new RegExp(`"${script}":`), place);
    for (const [, words = ''] of commands.matchAll(
      /npm run (?:--silent )?parley -- ([a-z -]+?)(?: [A-Z0-9<$-]|\n|$)/g,
    )) {
      const { code, said } = await helpFor(words.trim().split(' ').slice(0, 2));
      assert.equal(code, 0, `${place} ${words} ${said}`);
    }
  }
});

async function helpFor(words: readonly string[]): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const terminal = { environment: {}, print: say, printError: say, signal: new AbortController().signal };
  const code = await runCommandLine([...words, '--help'], terminal);
  return { code, said: said.join('\n') };
}

test('the table of commands lists exactly the existing ones', async () => {
  const page = await readFile('docs/operate/cli.md', 'utf8');
  const cells = [...page.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell).join();
  const listed = [...cells.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  for (const name of listed.filter((one) => one !== 'admin …'))
    assert.match((await helpFor(name.split(' '))).said, new RegExp(`^Usage: npm run parley -- ${name}\\b`));
  const { said } = await helpFor([]);
  const existing = [...said.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)*)(?: <| {2})/gm)].map(
    ([, name = '']) => name,
  );
  assert.ok(existing.length > 20);
  assert.deepEqual(
    existing.filter((name) => !name.startsWith('admin ') && !listed.includes(name)),
    [],
  );
  const pages = globSync('docs/operate/*.md').map((path) => readFileSync(path, 'utf8'));
  assert.deepEqual(
    existing.filter((name) => !pages.some((text) => text.includes(name))),
    [],
    'commands that no page names',
  );
});

test('blocks that are not commands are checked, too', async () => {
  const shown: Record<string, string[]> = {};
  for (const page of globSync('docs/operate/*.md')) {
    for (const [, , kind = '', text = ''] of (await readFile(page, 'utf8')).matchAll(
      /^( *)```(.*)\n([\s\S]*?)^\1```$/gm,
    )) {
      const name = `${basename(page)} ${kind}`;
      shown[name] = [...(shown[name] ?? []), text];
    }
  }
  const {
    'proxies.md ini': settings,
    'monitoring.md ini': fail2ban,
    'self-hosting.md sql': settingsOfRole = [],
    'monitoring.md sql': locks = [],
    ...others
  } = shown;
  for (const [, name = ''] of settings?.join('').matchAll(/^(\w+)=/gm) ?? [])
    assert.ok(name in SETTINGS, name);
  assert.ok((await readFile('deploy/fail2ban/parley.conf', 'utf8')).endsWith(fail2ban?.[0] ?? ''));
  const db = openDatabase({ url: database.url, poolSize: 1, ...PATIENT });
  started.defer(() => db.end({ timeout: 1 }));
  const undone = db.begin(async (tx) => {
    for (const statement of [...settingsOfRole, ...locks])
      await tx.unsafe(statement.replaceAll('role parley', 'role current_user'));
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  // Blocks of these kinds are run, or checked in the tests of what they are about.
  const elsewhere = ['backup.md ini', 'monitoring.md json'];
  assert.deepEqual(
    Object.keys(others).filter((name) => !/ sh( host)?$/.test(name) && !elsewhere.includes(name)),
    [],
  );
});
