import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { findFreePort } from '#testing/free-port.ts';
import { openWindow, startChromium } from './chromium.ts';
import { readNamedFiles } from './guide/pages.ts';
import { readCommandBlocks } from './operate/doc-commands.ts';

/**
 * `npm run newcomer`: the first steps after cloning Parley, timed. With a directory, that clone is used; otherwise the last
 * commit is cloned. Installation and the build of the pages come first and are
 * measured separately.
 */
const SIMULATOR_BAR_SECONDS = 60;
const SDK_BAR_SECONDS = 300;
const SDK_QUICKSTART = 'docs/guide/quickstart-sdk.md';

await using kept = new AsyncDisposableStack();
const clone = process.argv[2] ?? (await cloneHere());
const env = { ...process.env, PATH: ownPath(), PORT: String(await findFreePort()) };
const origin = `http://localhost:${env.PORT}`;
const chromium = await startChromium();
kept.defer(() => chromium.close());

const installing = process.hrtime.bigint();
execFileSync('npm', ['run', 'prestart'], { cwd: clone, env, stdio: 'inherit' });
tell('npm ci and the build of the pages (once)', secondsSince(installing));

const beginning = process.hrtime.bigint();
const server = spawn('npm', ['start'], {
  cwd: clone,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
kept.defer(() => end(server));
await untilReady(server);
tell('npm start until it answers', secondsSince(beginning));
await seeAnswerInSimulator();
const simulatorSeconds = secondsSince(beginning);
tell('npm start to the first answer of a bot in the simulator', simulatorSeconds, SIMULATOR_BAR_SECONDS);

const reading = process.hrtime.bigint();
const output = execFileSync('bash', ['-euo', 'pipefail', '-c', await sdkQuickstart()], {
  cwd: clone,
  env,
}).toString();
assert.match(output, /You wrote: Hello/);
const sdkSeconds = secondsSince(reading);
tell('the quickstart with the SDK, every command copied from the page', sdkSeconds, SDK_BAR_SECONDS);
if (simulatorSeconds > SIMULATOR_BAR_SECONDS || sdkSeconds > SDK_BAR_SECONDS) process.exitCode = 1;

async function cloneHere(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-newcomer-'));
  kept.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  execFileSync('git', ['clone', '--quiet', '.', join(directory, 'parley')]);
  return join(directory, 'parley');
}

/** The Node and npm of the machine, not those of this project. */
function ownPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !folder.endsWith(join('node_modules', '.bin'))).join(delimiter);
}

/** From the empty console to an answer, by clicks; the bot runs while its owner writes to it. */
async function seeAnswerInSimulator(): Promise<void> {
  await using visit = await openWindow(chromium, { baseURL: origin });
  const { page } = visit;
  await page.goto('/console');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('E-mail address').fill('newcomer@example.com');
  await page.getByLabel('Password', { exact: false }).first().fill('correct horse battery');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('link', { name: 'New application' }).click();
  await page.getByLabel('Name').fill('Weather Diary');
  await page.reload();
  await page.getByLabel('Name').fill('Weather Diary');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Username').fill('weather_diary_bot');
  await page.reload();
  await page.goBack();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Weather Diary');
  await page.getByRole('button', { name: 'Next' }).click();
  assert.equal(await page.getByLabel('Username').inputValue(), 'weather_diary_bot');
  await page.getByRole('button', { name: 'Create' }).click();
  const lost = await copied(page, 'API key');
  await page.goBack();
  await page.getByRole('button', { name: 'Stay here' }).click();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Create new secrets' }).click();
  const key = await copied(page, 'API key');
  assert.notEqual(key, lost);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Without a webhook for now' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Waiting for the bot’s answer').waitFor();
  await page.reload();
  const home = await page.request.get('/api/console/home');
  assert.equal((await home.json()).data.used, 1, 'every reload and step back later there is one application');
  await page.getByText('Waiting for the bot’s answer').waitFor();
  await answerOnce(key);
  await page.getByText('Your bot has answered').waitFor();
  await page.getByRole('link', { name: 'Open the simulator' }).click();
  await page.getByRole('log').getByText('Hello to you!').waitFor();
}

function copied(page: Page, label: string): Promise<string> {
  return page
    .getByRole('button', { name: `Copy: ${label}`, exact: true })
    .locator('xpath=preceding-sibling::code')
    .innerText();
}

/** A bot in two requests: receive, and answer. */
async function answerOnce(key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const page = (await (await fetch(`${origin}/v1/events`, { headers })).json()) as {
    data: { events: { event: { data: { chatId: string } } }[] };
  };
  const to = page.data.events[0]?.event.data.chatId;
  const body = JSON.stringify({ to, type: 'text', content: 'Hello to you!' });
  assert.equal((await fetch(`${origin}/v1/messages`, { method: 'POST', headers, body })).status, 201);
}

/** The page's commands in order, and the file that it tells the reader to save. */
async function sdkQuickstart(): Promise<string> {
  const [bot] = await readNamedFiles([SDK_QUICKSTART]);
  assert.ok(bot);
  const saved = join(clone, 'copied-bot.mjs');
  await writeFile(saved, bot.text);
  const commands = (await readCommandBlocks([SDK_QUICKSTART])).map((block) => block.commands).join('\n');
  return commands
    .replaceAll('http://localhost:3000', origin)
    .replace(`node ${bot.name} &`, `mv ${saved} ${bot.name}\nnode ${bot.name} &`);
}

async function untilReady(child: ChildProcess): Promise<void> {
  for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
    if (!/is ready/.test(line)) continue;
    child.stdout?.resume();
    return;
  }
  throw new Error('npm start ended before it was ready');
}

/** Kills npm and the processes that it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGTERM');
  await once(child, 'exit');
}

function secondsSince(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function tell(what: string, seconds: number, bar?: number): void {
  console.log(
    `${seconds.toFixed(1).padStart(7)} s  ${what}${bar === undefined ? '' : ` (at most ${bar} s)`}`,
  );
}
